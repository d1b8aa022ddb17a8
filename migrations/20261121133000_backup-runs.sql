-- Up Migration

-- Written by deploy/backup/backup.sh, by psql: where it runs there is pg_dump, but no Node.
create table backup_run (
  -- What was committed by then is in the file; what came later is not.
  started_at timestamptz primary key,
  ended_at timestamptz not null default now(),
  bytes bigint not null check (bytes > 0),
  check (ended_at >= started_at)
);

-- Down Migration

drop table backup_run;
