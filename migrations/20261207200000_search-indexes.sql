-- Up Migration

-- Accounts that are not used for long, searched every ten minutes (services/accounts/inactivity.ts).
create index account_last_seen on account (last_seen_on, id) where state in ('active', 'disabled');
-- The search of the audit log, as services/audit/list-entries.ts writes it.
create index audit_entry_search on audit_entry
  using gin (lower(subject || ' ' || actor || ' ' || details::text) gin_trgm_ops);

-- Down Migration

drop index account_last_seen, audit_entry_search;
