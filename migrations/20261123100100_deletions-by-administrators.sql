-- Up Migration

-- An administrator deleted the account: the mail about it says so.
alter table account_deletion add column by_administrator boolean not null default false;

-- Down Migration

alter table account_deletion drop column by_administrator;
