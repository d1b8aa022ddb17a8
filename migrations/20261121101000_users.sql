-- Up Migration

-- Trusted: whoever owns the database may create it. It stays on the way down, where others use it.
create extension if not exists pg_trgm;

-- Serves an administrator's search for any part of an address.
create index account_email_part on account using gin (email gin_trgm_ops) where state <> 'deleted';

-- Down Migration

drop index account_email_part;
