-- +goose Up
-- Who the company is, as its invoices and letters name it.
create table company_profile (
	company             {{text}} not null,
	id                  {{text}} not null,
	version             {{int}}  not null,
	created_at          {{int}}  not null,
	modified_at         {{int}},
	changed_at          {{int}}  not null,
	legal_name          {{text}} not null,
	organization_number {{text}} not null default '',
	vat_number          {{text}} not null default '',
	street1             {{text}} not null default '',
	street2             {{text}} not null default '',
	postal_code         {{text}} not null default '',
	city                {{text}} not null default '',
	country_code        {{text}} not null default '',
	seat                {{text}} not null default '',  -- town of the registered office
	email               {{text}} not null default '',
	phone               {{text}} not null default '',
	website             {{text}} not null default '',
	bank_name           {{text}} not null default '',
	iban                {{text}} not null default '',  -- without spaces
	bic                 {{text}} not null default '',
	bankgiro            {{text}} not null default '',
	plusgiro            {{text}} not null default '',
	has_f_tax           {{int}}  not null default 0,   -- approved for F-tax (Sweden)
	invoice_text        {{text}} not null default '',  -- at the foot of invoices
	logo_hash           {{text}} not null default '',  -- of the file below, '' = none
	logo                {{blob}},
	primary key (company, id)
){{strict}};
create unique index company_profile_one on company_profile (company);
