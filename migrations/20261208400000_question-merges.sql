-- Up Migration

-- A question that was taken out of use as a near-duplicate, and the one with the same answer that stays
-- (services/questions/merge-duplicates.ts).
create table question_merge (
  question_id bigint primary key references question on delete cascade,
  into_id bigint not null references question on delete cascade,
  merged_at timestamptz not null default clock_timestamp(),
  check (question_id <> into_id)
);
create index question_merge_into on question_merge (into_id);

-- What the statistics of a question contain of one that was merged into it (services/statistics/merged-counts.ts).
create table merged_statistics (
  question_id bigint primary key references question on delete cascade,
  into_id bigint not null references question on delete cascade,
  times_selected integer not null,
  times_correct integer not null,
  times_incorrect integer not null,
  times_reported integer not null
);
create index merged_statistics_into on merged_statistics (into_id);

-- Down Migration

drop table question_merge, merged_statistics;
