-- +goose Up
-- Customers, the people who work there, and where they want goods sent.

create table customer (
	company             {{text}} not null,
	id                  {{text}} not null,
	version             {{int}}  not null,
	created_at          {{int}}  not null,
	modified_at         {{int}},
	changed_at          {{int}}  not null,
	number              {{text}} not null,
	number_key          {{text}} not null,
	name                {{text}} not null,
	organization_number {{text}} not null default '',
	vat_number          {{text}} not null default '',
	is_active           {{int}}  not null,
	invoice_email       {{text}} not null default '',
	phone               {{text}} not null default '',
	street1             {{text}} not null default '',
	street2             {{text}} not null default '',
	postal_code         {{text}} not null default '',
	city                {{text}} not null default '',
	country_code        {{text}} not null default '',
	currency_code       {{text}} not null default '',
	group_code          {{text}} not null default '',
	payment_term_code   {{text}} not null default '',
	delivery_term_code  {{text}} not null default '',
	notes               {{text}} not null default '',
	search              {{text}} not null,
	primary key (company, id),
	unique (company, number_key)
){{strict}};

create index customer_changed on customer (company, changed_at);

create table customer_contact (
	company           {{text}} not null,
	customer_id       {{text}} not null,
	id                {{text}} not null,
	name              {{text}} not null,
	email             {{text}} not null default '',
	email_key         {{text}} not null default '',
	phone             {{text}} not null default '',
	mobile            {{text}} not null default '',
	role              {{text}} not null default '',
	language_code     {{text}} not null default '',
	is_primary        {{int}}  not null,
	is_active         {{int}}  not null,
	has_portal_access {{int}}  not null,
	password_hash     {{text}} not null default '',
	created_at        {{int}}  not null,
	modified_at       {{int}},
	changed_at        {{int}}  not null,
	primary key (company, customer_id, id)
){{strict}};

-- A portal contact signs in with its email, so the email is one contact's in the whole company.
create unique index customer_contact_portal on customer_contact (company, email_key) where has_portal_access = 1;

create table customer_address (
	company        {{text}} not null,
	customer_id    {{text}} not null,
	id             {{text}} not null,
	name           {{text}} not null default '',
	contact_person {{text}} not null default '',
	street1        {{text}} not null default '',
	street2        {{text}} not null default '',
	postal_code    {{text}} not null default '',
	city           {{text}} not null default '',
	country_code   {{text}} not null,
	email          {{text}} not null default '',
	phone          {{text}} not null default '',
	is_default     {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	primary key (company, customer_id, id)
){{strict}};
