-- Up Migration

-- The history of a learner is read in parts, each from where the one before ended.
create index quiz_history on quiz (account_id, ended_at desc, id desc) where state = 'ended';

-- Down Migration

drop index quiz_history;
