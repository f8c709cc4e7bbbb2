-- +goose Up
-- How an item is replenished in a warehouse. There is no row where nothing was set: the usual holds. Warehouse is the code of
-- the reference book, spelled as there.

create table item_warehouse (
	company                 {{text}} not null,
	id                      {{text}} not null,
	version                 {{int}}  not null,
	created_at              {{int}}  not null,
	modified_at             {{int}},
	changed_at              {{int}}  not null,
	item_id                 {{text}} not null,
	item                    {{text}} not null,
	item_key                {{text}} not null,
	warehouse               {{text}} not null,
	warehouse_key           {{text}} not null,
	is_active               {{int}}  not null,
	importance              {{text}} not null,
	replenishment           {{text}} not null default '', -- empty: the item's
	supply_policy           {{text}} not null,
	lot_sizing              {{text}} not null,
	min_quantity            {{int}},
	max_quantity            {{int}},
	reorder_quantity        {{int}},
	safety_stock            {{int}},                      -- set by hand
	calculated_safety_stock {{int}},                      -- by planning
	service_level           {{int}},                      -- a share, 0 to 1
	lead_time_days          {{int}},
	transfer_from           {{text}} not null default '', -- warehouse
	transfer_days           {{int}},
	primary key (company, id),
	unique (company, item_id, warehouse),
	unique (company, item_key, warehouse_key)
){{strict}};

create index item_warehouse_changed on item_warehouse (company, changed_at);

alter table item_warehouse add constraint item_warehouse_words check (importance in ('Critical', 'Standard', 'Accessory', 'SpecialOrder') and replenishment in ('', 'Purchase', 'Manufacture', 'Transfer', 'Assembly', 'Subcontract') and supply_policy in ('ToStock', 'ToOrder') and lot_sizing in ('LotForLot', 'FixedReorderQuantity', 'FillToMax')) not valid;
alter table item_warehouse add constraint item_warehouse_min_quantity check (min_quantity >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_max_quantity check (max_quantity >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_reorder_quantity check (reorder_quantity >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_safety_stock check (safety_stock >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_calculated_safety_stock check (calculated_safety_stock >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_service_level check (service_level between 0 and 1000000) not valid;
alter table item_warehouse add constraint item_warehouse_lead_time_days check (lead_time_days >= 0) not valid;
alter table item_warehouse add constraint item_warehouse_transfer_days check (transfer_days >= 0) not valid;
