-- Up Migration

-- Copies of backups off the machine. Written by deploy/backup/offsite.sh, by psql.
create table backup_copy (
  -- What it is a copy of: backup_run.started_at. Not a reference: a backup can be whole without its row.
  dumped_at timestamptz primary key,
  -- The first attempt to send it.
  tried_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When it had been restored from the store as a test, with all its rows.
  verified_at timestamptz,
  verified_rows bigint,
  check ((verified_at is null) = (verified_rows is null))
);

-- Down Migration

drop table backup_copy;
