-- Up Migration

-- Dead letters: events that a queue's handler cannot take, set aside in the transaction that consumes
-- the rest of their batch. They stay until an operator retries or dismisses them.
create table rejected_event (
  -- A number, because operators type it.
  id bigint generated always as identity primary key,
  event_id uuid not null,
  name text not null,
  queue text not null,
  -- The batch that it was last delivered in; after a retry, one of its own.
  batch_id uuid not null,
  payload jsonb not null,
  reason text not null,
  -- Null when the payload is not what the catalogue says.
  sqlstate text,
  -- How often it was delivered and set aside, first and last.
  attempts int not null default 1 check (attempts > 0),
  rejected_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz not null default clock_timestamp(),
  state text not null default 'open' check (state in ('open', 'retried', 'dismissed')),
  closed_at timestamptz,
  closed_by text,
  dismissal text,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'open') = (closed_by is null)),
  check ((state = 'dismissed') = (dismissal is not null))
);
create index rejected_event_open on rejected_event (queue) where state = 'open';
create index rejected_event_closed on rejected_event (closed_at) where state <> 'open';
create index rejected_event_batch on rejected_event (batch_id);

-- Down Migration

drop table rejected_event;
