-- +goose Up
-- What no row may say, whoever writes it. A broken rule is refused by its name: words (of a few), signs (not
-- below zero), above (zero), or what it is about. Where one rule will do for many columns there is one: each costs a write its time. Rows from before may
-- break one: they can be read, and `kontor verify` tells of them. The lists of values are those of the types in Go (a law compares them).
-- Not ruled, because they are signed: stock_entry.quantity, gift_card_movement.amount, invoice_payment.amount (what is taken back is below
-- zero) and what a price list line adds or takes off. payment.captured may pass amount: a buyer paid more than was asked.

alter table currency_rate add constraint currency_rate_above check ({{least}}(amount, units) > 0) not valid;

alter table payment_term add constraint payment_term_signs check (days >= 0) not valid;

alter table order_type add constraint order_type_words check (auto_invoice in ('Never', 'OnHandOver', 'OnDelivery')) not valid;

alter table tax_rate add constraint tax_rate_signs check (percent >= 0) not valid;
alter table tax_rate add constraint tax_rate_bounds check (percent <= 100000000) not valid;

alter table customer add constraint customer_credit_limit check (credit_limit >= 0) not valid;

alter table item add constraint item_words check (type in ('Stock', 'NonStock', 'Service') and tracking in ('None', 'Batch', 'Serial', 'BatchAndSerial') and replenishment in ('Purchase', 'Manufacture', 'Transfer', 'Assembly', 'Subcontract')) not valid;
alter table item add constraint item_sales_price check (sales_price >= 0) not valid;
alter table item add constraint item_weight_kg check (weight_kg >= 0) not valid;
alter table item add constraint item_length_cm check (length_cm >= 0) not valid;
alter table item add constraint item_width_cm check (width_cm >= 0) not valid;
alter table item add constraint item_height_cm check (height_cm >= 0) not valid;

alter table item_relation add constraint item_relation_words check (type in ('Related', 'CrossSell', 'UpSell', 'Accessory', 'SparePart', 'Alternative', 'Replacement')) not valid;

alter table attribute add constraint attribute_words check (data_type in ('Text', 'WholeNumber', 'DecimalNumber', 'Boolean', 'Date', 'Url', 'Html', 'Color')) not valid;

alter table price_list add constraint price_list_words check (type in ('Standard', 'Customer', 'CustomerGroup', 'Campaign', 'Contract')) not valid;

alter table price_list_target add constraint price_list_target_words check (kind in ('', 'customer', 'group', 'channel')) not valid;

alter table price_list_line add constraint price_list_line_words check (strategy in ('Fixed', 'CostPlusPercent', 'CostPlusAmount', 'BasePriceDiscount', 'ParentPriceList')) not valid;
alter table price_list_line add constraint price_list_line_signs check (min_quantity >= 0) not valid;
alter table price_list_line add constraint price_list_line_max_quantity check (max_quantity >= min_quantity) not valid;
alter table price_list_line add constraint price_list_line_unit_price check (unit_price >= 0) not valid;

alter table stock_level add constraint stock_level_signs check ({{least}}(on_hand, allocated, average_cost) >= 0) not valid;

alter table stock_balance add constraint stock_balance_signs check (quantity >= 0) not valid;

alter table stock_entry add constraint stock_entry_words check (kind in ('Receipt', 'Issue', 'Adjustment', 'Transfer', 'Return', 'Scrap', 'ConsignmentConsumption', 'Revaluation')) not valid;
alter table stock_entry add constraint stock_entry_signs check ({{least}}(balance_after, average_after) >= 0) not valid;
alter table stock_entry add constraint stock_entry_unit_cost check (unit_cost >= 0) not valid;

alter table stock_hold add constraint stock_hold_above check (quantity > 0) not valid;

alter table channel add constraint channel_words check (type in ('WebShop', 'B2BPortal', 'Marketplace', 'App')) not valid;

alter table sales_order add constraint sales_order_words check (status in ('Draft', 'Placed', 'Released', 'Closed', 'Cancelled') and delivery_status in ('NotDelivered', 'PartiallyDelivered', 'FullyDelivered') and invoiced_status in ('NotInvoiced', 'PartiallyInvoiced', 'FullyInvoiced')) not valid;
alter table sales_order add constraint sales_order_signs check ({{least}}(delivered_percent, total_amount, total_vat) >= 0) not valid;
alter table sales_order add constraint sales_order_bounds check (delivered_percent <= 100000000) not valid;

alter table sales_order_line add constraint sales_order_line_signs check ({{least}}(unit_price, discount_percent, discount_amount, tax_percent, line_total, tax_amount, allocated, delivered, on_shipment, returned, returned_unbilled, invoiced, invoiced_amount, waiting) >= 0) not valid;
alter table sales_order_line add constraint sales_order_line_above check ({{least}}(quantity, factor) > 0) not valid;
alter table sales_order_line add constraint sales_order_line_bounds check (discount_percent <= 100000000 and tax_percent <= 100000000 and allocated + delivered <= quantity and on_shipment <= allocated and returned <= delivered and returned_unbilled <= returned and invoiced <= quantity) not valid;

alter table shipment add constraint shipment_words check (status in ('Hold', 'Released', 'Picking', 'Picked', 'ReadyForPickup', 'Packing', 'Packed', 'Booked', 'PickedUp', 'InTransit', 'Delivered', 'Failed', 'Cancelled')) not valid;
alter table shipment add constraint shipment_weight_kg check (weight_kg >= 0) not valid;

alter table shipment_line add constraint shipment_line_signs check ({{least}}(quantity, picked, returned) >= 0) not valid;
alter table shipment_line add constraint shipment_line_above check (factor > 0) not valid;
alter table shipment_line add constraint shipment_line_bounds check (picked <= quantity) not valid;
alter table shipment_line add constraint shipment_line_weight_kg check (weight_kg >= 0) not valid;
alter table shipment_line add constraint shipment_line_unit_cost check (unit_cost >= 0) not valid;

alter table shipment_pick add constraint shipment_pick_signs check (returned >= 0) not valid;
alter table shipment_pick add constraint shipment_pick_above check (quantity > 0) not valid;
alter table shipment_pick add constraint shipment_pick_bounds check (returned <= quantity) not valid;

alter table shipment_package add constraint shipment_package_weight_kg check (weight_kg >= 0) not valid;
alter table shipment_package add constraint shipment_package_length_cm check (length_cm >= 0) not valid;
alter table shipment_package add constraint shipment_package_width_cm check (width_cm >= 0) not valid;
alter table shipment_package add constraint shipment_package_height_cm check (height_cm >= 0) not valid;

alter table invoice add constraint invoice_words check (type in ('Invoice', 'CreditNote', 'Receipt') and status in ('Open', 'Booked', 'Cancelled') and payment_status in ('Unpaid', 'PartiallyPaid', 'Paid', 'AwaitingTaxReduction')) not valid;
alter table invoice add constraint invoice_signs check ({{least}}(total, vat, paid, tax_reduction) >= 0) not valid;
alter table invoice add constraint invoice_bounds check (tax_reduction <= total + vat and ((status = 'Booked') = (document_number <> ''))) not valid;

alter table invoice_line add constraint invoice_line_signs check ({{least}}(unit_price, discount, tax_percent, total, tax, credited, credited_total, credited_tax) >= 0) not valid;
alter table invoice_line add constraint invoice_line_above check (quantity > 0) not valid;
alter table invoice_line add constraint invoice_line_bounds check (discount <= 100000000 and (discount_amount >= 0 or credits_invoice <> '') and tax_percent <= 100000000 and credited <= quantity) not valid;

alter table invoice_payment add constraint invoice_payment_words check (kind in ('Payment', 'GiftCard', 'CreditNote')) not valid;

alter table sales_return add constraint sales_return_words check (status in ('Draft', 'Approved', 'Received', 'CreditNoted', 'Closed', 'Cancelled') and reason in ('', 'Defective', 'WrongItem', 'DamagedInTransit', 'CustomerRemorse', 'Warranty', 'QualityIssue', 'OverDelivery', 'Other')) not valid;
alter table sales_return add constraint sales_return_signs check ({{least}}(total, vat) >= 0) not valid;

alter table sales_return_line add constraint sales_return_line_signs check ({{least}}(registered, quantity, to_credit, unit_price, discount, discount_amount, tax_percent, total, vat) >= 0) not valid;
alter table sales_return_line add constraint sales_return_line_above check (factor > 0) not valid;
alter table sales_return_line add constraint sales_return_line_bounds check (to_credit <= quantity and discount <= 100000000 and tax_percent <= 100000000) not valid;

alter table media_asset add constraint media_asset_words check (folder in ('Hero', 'Banner', 'Sections', 'Content')) not valid;

alter table item_asset add constraint item_asset_words check (kind in ('Image', 'Document')) not valid;

alter table job add constraint job_words check (status in ('Waiting', 'Running', 'Done', 'Failed', 'Cancelled')) not valid;

alter table cart add constraint cart_seen_amount check (seen_amount >= 0) not valid;

alter table cart_line add constraint cart_line_above check (quantity > 0) not valid;
alter table cart_line add constraint cart_line_seen_price check (seen_price >= 0) not valid;

alter table discount_code add constraint discount_code_signs check ({{least}}(percent, amount, min_value, limit_total, limit_customer, used) >= 0) not valid;
alter table discount_code add constraint discount_code_bounds check (percent <= 100000000) not valid;

alter table discount_use add constraint discount_use_signs check (amount >= 0) not valid;

alter table gift_card add constraint gift_card_above check (initial > 0) not valid;

alter table gift_card_movement add constraint gift_card_movement_words check (kind in ('Issued', 'Spent', 'GivenBack', 'Corrected')) not valid;
alter table gift_card_movement add constraint gift_card_movement_signs check (balance >= 0) not valid;

alter table freight_rate add constraint freight_rate_words check (basis in ('Value', 'Weight')) not valid;
alter table freight_rate add constraint freight_rate_up_to check (up_to >= 0) not valid;
alter table freight_rate add constraint freight_rate_free_from check (free_from >= 0) not valid;
alter table freight_rate add constraint freight_rate_estimated_days check (estimated_days >= 0) not valid;

alter table payment_method add constraint payment_method_signs check (fee >= 0) not valid;

alter table checkout_order add constraint checkout_order_signs check (cards_settled >= 0) not valid;

alter table payment add constraint payment_words check (status in ('Pending', 'Authorized', 'Captured', 'Failed', 'Cancelled', 'Expired') and mode in ('', 'None', 'HtmlFragment', 'Redirect', 'ClientKey')) not valid;
alter table payment add constraint payment_signs check ({{least}}(amount, captured, refunded, settled) >= 0) not valid;
alter table payment add constraint payment_bounds check (refunded <= captured) not valid;

alter table payment_event add constraint payment_event_words check (status in ('Pending', 'Authorized', 'Captured', 'Failed', 'Cancelled', 'Expired')) not valid;

alter table payment_transfer add constraint payment_transfer_words check (kind in ('Capture', 'Refund') and status in ('Open', 'Done')) not valid;
alter table payment_transfer add constraint payment_transfer_signs check (amount >= 0) not valid;

alter table portal_code add constraint portal_code_words check (purpose in ('PasswordReset', 'OneTimeLogin')) not valid;

alter table order_approval add constraint order_approval_words check (status in ('Waiting', 'Approved', 'Rejected')) not valid;

alter table company_state add constraint company_state_words check (environment in ('Production', 'Test')) not valid;
