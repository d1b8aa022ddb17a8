-- Up Migration

-- The registration found an unverified identity without credit under its address, and removed it. Its
-- password is chosen by the mailed link only.
alter table payment add column address_reclaimed boolean not null default false;

-- Down Migration

alter table payment drop column address_reclaimed;
