-- Up Migration

-- What administrators did: written in the transaction that does it, never changed.
create table audit_entry (
  id uuid primary key default uuidv7(),
  at timestamptz not null default clock_timestamp(),
  -- The administrator's address, as the token had it.
  actor text not null check (actor = lower(actor)),
  action text not null,
  -- What it was done to: an id, an address, …
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_entry_subject on audit_entry (subject, id desc);

-- Down Migration

drop table audit_entry;
