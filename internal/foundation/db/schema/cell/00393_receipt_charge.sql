-- +goose Up
-- What a delivery cost on its way (freight, customs), spread over what its receipt brought in: the landed cost. Amounts are in the base currency.
create table goods_receipt_charge (
	company     {{text}} not null,
	receipt_id  {{text}} not null,
	charge      {{int}}  not null,            -- counts the charges of a receipt from 1
	kind        {{text}} not null,
	basis       {{text}} not null,            -- what it is spread by
	amount      {{int}}  not null,
	reference   {{text}} not null default '', -- of the carrier's or the customs' paper
	booked_at   {{int}}  not null,
	reversed_at {{int}},
	reason      {{text}} not null default '', -- of the reversal
	primary key (company, receipt_id, charge)
){{strict}};

-- Each item's part of a charge: what lay in the warehouse still was made dearer by it, the rest is cost of goods sold.
create table goods_receipt_share (
	company     {{text}} not null,
	receipt_id  {{text}} not null,
	charge      {{int}}  not null,
	item_id     {{text}} not null,
	item        {{text}} not null,
	amount      {{int}}  not null,
	quantity    {{int}}  not null,            -- that the receipt brought in, base units
	on_hand     {{int}}  not null,            -- in the warehouse as it was booked
	in_stock    {{int}}  not null,            -- of the amount, now in the value of the stock
	returned    {{int}}  not null default 0,  -- of that, out of it again by the reversal
	left_over   {{int}}  not null default 0,  -- on hand as it was reversed
	entry_id    {{text}} not null default '', -- in the ledger; empty: nothing was there any more
	counter_id  {{text}} not null default '',
	primary key (company, receipt_id, charge, item_id)
){{strict}};

alter table goods_receipt_charge add constraint goods_receipt_charge_kinds check (kind in ('Freight', 'Customs', 'Insurance', 'Other')) not valid;
alter table goods_receipt_charge add constraint goods_receipt_charge_bases check (basis in ('Value', 'Weight')) not valid;
alter table goods_receipt_charge add constraint goods_receipt_charge_above check ({{least}}(amount, charge) > 0) not valid;
alter table goods_receipt_share add constraint goods_receipt_share_signs check ({{least}}(amount, on_hand, in_stock, returned, left_over) >= 0) not valid;
alter table goods_receipt_share add constraint goods_receipt_share_above check ({{least}}(quantity, charge) > 0) not valid;
alter table goods_receipt_share add constraint goods_receipt_share_bounds check (in_stock <= amount and returned <= in_stock) not valid;
