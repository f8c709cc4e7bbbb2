-- +goose Up
-- What the currency of a booked invoice was worth in the company's own, as quoted: amount of the company's for units of it.
-- 0 = nobody knew, it is the company's own, or the invoice is not booked. Those of before get what their paper showed.
alter table invoice add column rate_amount {{int}} not null default 0;
alter table invoice add column rate_units {{int}} not null default 0;
alter table invoice add constraint invoice_rate_signs check ({{least}}(rate_amount, rate_units) >= 0) not valid;
update invoice as i set rate_amount = r.amount, rate_units = r.units from currency_rate r
where i.status = 'Booked' and r.company = i.company and r.currency_key = fold(i.currency) and r.rate_date = coalesce(
	(select max(b.rate_date) from currency_rate b where b.company = i.company and b.currency_key = r.currency_key
		and b.rate_date <= i.invoice_date),
	(select min(f.rate_date) from currency_rate f where f.company = i.company and f.currency_key = r.currency_key));
