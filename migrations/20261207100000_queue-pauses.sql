-- Up Migration

-- Whether a queue should be paused, as it was decided last. The workers make the queue so; a gateway cannot reach it, and
-- Redis may forget it. A queue that was never paused has no row.
create table queue_pause (
  queue text primary key,
  paused boolean not null,
  at timestamptz not null default clock_timestamp(),
  -- Who decided is in the audit log only, which forgets names in time.
  entry_id uuid not null
);

-- Down Migration

drop table queue_pause;
