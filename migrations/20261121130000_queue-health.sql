-- Up Migration

-- When a canary last came through each queue, all the way: sent, relayed, worked on, recorded.
create table canary (
  queue text primary key,
  done_at timestamptz not null
);
-- A record of each is of no use for as long as the others are kept.
create index event_batch_canary on event_batch (created_at) where name = 'canary.sent';

-- Up to where a Redis had kept what it was given: it counts on a key of this generation. One that
-- counts no further than this has lost something.
create table queue_state (
  is_only boolean primary key default true check (is_only),
  generation uuid not null default uuidv7(),
  mark bigint not null default 0
);
insert into queue_state default values;

-- Down Migration

drop table queue_state;
drop index event_batch_canary;
drop table canary;
