-- Up Migration

alter table account
  -- The last day (Europe/Oslo) with a call of the learner. Existing accounts count from this migration. Null after a deletion.
  add column last_seen_on date default (now() at time zone 'Europe/Oslo')::date,
  -- When a warning of the deletion for inactivity was requested, and when it was mailed or could not be.
  -- Null again at the next call.
  add column inactive_asked_at timestamptz,
  add column inactive_warned_at timestamptz;

-- The service deleted the account because it was not used: the mail about it says so.
alter table account_deletion add column by_inactivity boolean not null default false;

-- Down Migration

alter table account_deletion drop column by_inactivity;
alter table account
  drop column inactive_warned_at,
  drop column inactive_asked_at,
  drop column last_seen_on;
