-- Up Migration

-- What an account asked for that it may do only so often, for the limits; forgotten after an hour.
create table limited_call (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  call text not null check (call in ('export', 'profile_change')),
  created_at timestamptz not null default clock_timestamp(),
  -- Of what goes on one at a time, while it does: whoever died with it holds it no longer than this.
  busy_until timestamptz
);
create index limited_call_account on limited_call (account_id, call, created_at);
create index limited_call_created on limited_call (created_at);

-- Down Migration

drop table limited_call;
