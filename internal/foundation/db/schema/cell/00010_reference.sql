-- +goose Up

create table warehouse (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    street1 {{text}} not null default '',
    street2 {{text}} not null default '',
    postal_code {{text}} not null default '',
    city {{text}} not null default '',
    country_code {{text}} not null default '',
    transport_days {{int}} not null default 0,
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index warehouse_changed on warehouse (company, changed_at);

create table warehouse_location (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    warehouse {{text}} not null,
    warehouse_key {{text}} not null,
    zone {{text}} not null default '',
    is_pickable {{int}} not null default 0,
    is_returns {{int}} not null default 0,
    is_quarantine {{int}} not null default 0,
    primary key (company, id),
    unique (company, warehouse_key, code_key)
){{strict}};
create index warehouse_location_changed on warehouse_location (company, changed_at);

create table currency (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index currency_changed on currency (company, changed_at);

-- Quotations: from rate_date on, units of the currency are worth amount of the base currency.
create table currency_rate (
    company {{text}} not null,
    currency_key {{text}} not null,
    rate_date {{text}} not null,
    amount {{int}} not null,
    units {{int}} not null,
    primary key (company, currency_key, rate_date)
){{strict}};

create table payment_term (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    days {{int}} not null default 0,
    end_of_month {{int}} not null default 0,
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index payment_term_changed on payment_term (company, changed_at);

create table delivery_term (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    incoterms_code {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index delivery_term_changed on delivery_term (company, changed_at);

create table order_type (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    auto_release {{int}} not null default 0,
    auto_ship {{int}} not null default 0,
    auto_invoice {{text}} not null default 'Never',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index order_type_changed on order_type (company, changed_at);

create table shipping_method (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    carrier {{text}} not null default '',
    tracking_url_template {{text}} not null default '',
    is_pickup {{int}} not null default 0,
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index shipping_method_changed on shipping_method (company, changed_at);

create table ticket_queue (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index ticket_queue_changed on ticket_queue (company, changed_at);

create table unit (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    common_code {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index unit_changed on unit (company, changed_at);

create table customer_group (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index customer_group_changed on customer_group (company, changed_at);

create table tax_code (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    code {{text}} not null,
    code_key {{text}} not null,
    name {{text}} not null,
    is_active {{int}} not null default 0,
    search {{text}} not null default '',
    primary key (company, id),
    unique (company, code_key)
){{strict}};
create index tax_code_changed on tax_code (company, changed_at);

create table tax_rate (
    company {{text}} not null,
    tax_code_key {{text}} not null,
    country_code {{text}} not null default '',
    valid_from {{text}} not null default '',
    percent {{int}} not null,
    primary key (company, tax_code_key, country_code, valid_from)
){{strict}};

-- What the company uses where a document names nothing, and what it allows: one row.
create table company_default (
    company {{text}} not null,
    id {{text}} not null,
    version {{int}} not null,
    created_at {{int}} not null,
    modified_at {{int}},
    changed_at {{int}} not null,
    warehouse {{text}} not null default '',
    order_type {{text}} not null default '',
    shipping_method {{text}} not null default '',
    payment_term {{text}} not null default '',
    delivery_term {{text}} not null default '',
    tax_code {{text}} not null default '',
    unit {{text}} not null default '',
    customer_group {{text}} not null default '',
    ticket_queue {{text}} not null default '',
    allow_skip_pack {{int}} not null default 1,
    allow_skip_book {{int}} not null default 1,
    primary key (company, id)
){{strict}};
create unique index company_default_one on company_default (company);
