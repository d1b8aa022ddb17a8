-- Up Migration

alter table learner_plan
  -- The version of the text that the learner last agreed to, and when. Reminders without one are off.
  add column reminders_consent text,
  add column reminders_agreed_at timestamptz,
  -- Signs the links that stop reminders without signing in. From the first consent.
  add column reminders_key bytea,
  -- The last day in Europe/Oslo on which it was decided whether to remind.
  add column reminders_decided_on date,
  -- Reminders in a row after which the learner did not practise.
  add column reminders_unanswered integer not null default 0,
  -- Why the service stopped them; null while they are on, or if the learner stopped them.
  add column reminders_stopped text check (reminders_stopped in ('unanswered', 'refused'));

-- Down Migration

alter table learner_plan
  drop column reminders_stopped,
  drop column reminders_unanswered,
  drop column reminders_decided_on,
  drop column reminders_key,
  drop column reminders_agreed_at,
  drop column reminders_consent;
