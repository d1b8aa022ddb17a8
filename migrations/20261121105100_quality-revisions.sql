-- Up Migration

-- What is kept of the review queue holds until a verdict changes, which few of the answers do.
create trigger mark_bank_revision_of_new after insert on question_quality
  for each row when (new.wrong_option_preferred or new.negative_discrimination)
  execute function mark_bank_revision();
create trigger mark_bank_revision after update on question_quality
  for each row when (
    (old.wrong_option_preferred, old.negative_discrimination)
      is distinct from (new.wrong_option_preferred, new.negative_discrimination))
  execute function mark_bank_revision();

-- Down Migration

drop trigger mark_bank_revision on question_quality;
drop trigger mark_bank_revision_of_new on question_quality;
