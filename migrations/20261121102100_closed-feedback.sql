-- Up Migration

alter table feedback add column closed_at timestamptz;
update feedback set closed_at = now() where state <> 'open';
alter table feedback add constraint feedback_closed check ((state = 'open') = (closed_at is null));

-- Reports are counted for each question out of this index alone.
create index feedback_by_question on feedback (question_id, created_at desc) include (state);
drop index feedback_question;
create index feedback_state on feedback (state, created_at desc);

-- Down Migration

drop index feedback_state;
create index feedback_question on feedback (question_id);
drop index feedback_by_question;
alter table feedback drop constraint feedback_closed, drop column closed_at;
