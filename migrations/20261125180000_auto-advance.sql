-- Up Migration

-- Null until the learner has chosen.
alter table learner_plan add column auto_advance boolean;

-- Down Migration

alter table learner_plan drop column auto_advance;
