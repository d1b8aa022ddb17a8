-- Up Migration

-- With what a draw reads of its candidates, so that it reads no question for it: these lie at random places of the bank.
drop index question_draw;
create index question_draw on question (language, topic, draw_key) include (id, translation_group, excludes)
  where validated and retired_at is null;
alter table question_difficulty
  drop constraint question_difficulty_pkey,
  add primary key (question_id) include (difficulty);

-- Down Migration

drop index question_draw;
create index question_draw on question (language, topic, draw_key) include (id)
  where validated and retired_at is null;
alter table question_difficulty
  drop constraint question_difficulty_pkey,
  add primary key (question_id);
