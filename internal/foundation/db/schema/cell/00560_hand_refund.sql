-- +goose Up
-- Money that goes back to a buyer and that no provider moves: somebody transfers it, and says when. Its id is that of the
-- transfer of payment_transfer. Of what went back before this step nobody has said whether it was transferred.
create table hand_refund (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	order_id       {{text}} not null,
	order_number   {{text}} not null,
	invoice        {{text}} not null default '', -- the credit note that it pays out
	amount         {{int}}  not null,
	currency       {{text}} not null,
	transferred_on {{text}} not null default '', -- '' = it waits
	primary key (company, id)
){{strict}};
alter table hand_refund add constraint hand_refund_above check (amount > 0) not valid;
create index hand_refund_changed on hand_refund (company, changed_at);
create index hand_refund_transferred on hand_refund (company, transferred_on, id);
create index hand_refund_order on hand_refund (company, order_id, id);

insert into hand_refund (company, id, version, created_at, changed_at, order_id, order_number, invoice, amount, currency)
select m.company, m.id, 1, m.done_at, m.done_at, p.order_id, p.order_number, m.invoice, m.amount, p.currency
from payment_transfer m join payment p on p.company = m.company and p.id = m.payment_id
where p.provider = 'Prepayment' and m.kind = 'Refund' and m.status = 'Done' and m.amount > 0 and m.ref <> 'by hand';
