-- Up Migration

-- The questions that an administrator has tagged for the free sample, in the order in which it shows
-- them: few among many, and asked for by anybody.
create index question_sample on question (language, draw_key)
  where validated and retired_at is null and 'smakebit' = any (tags);

-- Down Migration

drop index question_sample;
