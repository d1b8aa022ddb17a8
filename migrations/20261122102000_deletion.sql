-- Up Migration

-- A report goes with the quiz that it was made in. Quizzes are deleted with their account only.
alter table feedback
  drop constraint feedback_quiz_id_fkey,
  add constraint feedback_quiz_id_fkey foreign key (quiz_id) references quiz (id) on delete cascade;

-- An administrator's deletion is in account_deletion too, under an address that cannot exist, so
-- that the workers complete it. Deletions from before this stand nowhere: each is completed once more,
-- which changes nothing where nothing was left to do.
insert into account_deletion (account_id, email, language)
select id, 'deleted-' || id || '@invalid', language from account where state = 'deleted'
on conflict do nothing;

-- Down Migration

alter table feedback
  drop constraint feedback_quiz_id_fkey,
  add constraint feedback_quiz_id_fkey foreign key (quiz_id) references quiz (id);
