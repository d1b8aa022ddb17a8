-- Up Migration

-- Who runs: every gateway and every process of workers says so every five seconds. It is written often
-- and read seldom; nothing rests upon it.
create table process (
  id uuid primary key,
  kind text not null check (kind in ('gateway', 'workers')),
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  facts jsonb not null
) with (fillfactor = 50);

-- Down Migration

drop table process;
