-- Up Migration

-- The review queue asks for questions whose year has come.
create index question_ages on question (ages, id)
  where validated and retired_at is null and ages is not null;

alter table quality_dismissal drop constraint quality_dismissal_reason_check;
alter table quality_dismissal add constraint quality_dismissal_reason_check
  check (reason in (
    'wrong_option_preferred', 'reported', 'negative_discrimination', 'fact_due', 'source_outdated'));

-- Down Migration

delete from quality_dismissal where reason = 'fact_due';
alter table quality_dismissal drop constraint quality_dismissal_reason_check;
alter table quality_dismissal add constraint quality_dismissal_reason_check
  check (reason in (
    'wrong_option_preferred', 'reported', 'negative_discrimination', 'source_outdated'));
drop index question_ages;
