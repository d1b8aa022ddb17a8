-- Up Migration

-- Few sellers are registered for VAT from the start, and a price that wrongly includes VAT promises the state money. It is off
-- until an administrator says otherwise. A database that was set up or has sold keeps what it has.
alter table settings alter column seller_vat_registered set default false;
update settings set seller_vat_registered = false
where updated_by is null and seller_name is null and not exists (select from receipt);

-- Down Migration

alter table settings alter column seller_vat_registered set default true;
