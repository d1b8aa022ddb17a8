-- Up Migration

-- Events wait here, written in the transaction that changed the state, until the relay takes them.
-- Rows come and go all the time, so vacuum by count and not by share.
create table outbox (
  id uuid primary key default uuidv7(),
  name text not null,
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What the relay took together. The members never change, so a batch is consumed once or not at all.
create table event_batch (
  id uuid primary key,
  name text not null,
  -- [{ "id": uuid, "payload": {…} }, …]
  events jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index event_batch_created on event_batch (created_at);

-- One row for each queue that must consume a batch.
create table event_delivery (
  batch_id uuid not null references event_batch (id) on delete cascade,
  queue text not null,
  -- When a job was last handed to the queue; null until then.
  published_at timestamptz,
  -- Set by the consumer in the transaction that applies the batch.
  done_at timestamptz,
  primary key (batch_id, queue)
);
create index event_delivery_pending on event_delivery (published_at) where done_at is null;

-- Down Migration

drop table event_delivery;
drop table event_batch;
drop table outbox;
