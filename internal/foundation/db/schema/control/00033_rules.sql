-- +goose Up
-- What no row may say: see the rules of the cell.
alter table company add constraint company_status check (status in ('Opening', 'Active', 'Closing')) not valid;
alter table company add constraint company_environment check (environment in ('Production', 'Test')) not valid;
alter table membership add constraint membership_role check (role in ('admin', 'sales', 'purchasing', 'warehouse', 'finance', 'support', 'viewer')) not valid;
alter table attempt add constraint attempt_count check (count >= 0) not valid;
