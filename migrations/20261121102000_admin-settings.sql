-- Up Migration

alter table settings
  -- What the law asks a seller to tell of itself.
  add column seller_name text check (length(seller_name) between 1 and 200),
  add column seller_organisation_number text check (seller_organisation_number ~ '^[0-9]{9}$'),
  add column seller_address text check (length(seller_address) between 1 and 500),
  add column seller_vat_registered boolean not null default true,
  -- Shown in place of the environment's; null for that one.
  add column support_email text check (length(support_email) between 3 and 254),
  -- The administrator who last changed something; null before the first time.
  add column updated_by text check (updated_by = lower(updated_by));

alter table exam_profile
  add column updated_at timestamptz,
  add column updated_by text check (updated_by = lower(updated_by)),
  add constraint exam_profile_minutes check (minutes between 1 and 300),
  add constraint exam_profile_shown check (questions_shown between 1 and 200),
  add constraint exam_profile_counted check (questions_counted >= 1),
  add constraint exam_profile_pass check (pass_mark >= 1);

-- A test keeps the mark that it was taken under, whatever becomes of its profile. Null for a drill,
-- and for a test that the version before has started.
alter table quiz add column pass_mark integer check (pass_mark >= 1);
update quiz set pass_mark = exam_profile.pass_mark
from exam_profile where exam_profile.name = quiz.exam;

-- Down Migration

alter table quiz drop column pass_mark;
alter table exam_profile
  drop constraint exam_profile_minutes,
  drop constraint exam_profile_shown,
  drop constraint exam_profile_counted,
  drop constraint exam_profile_pass,
  drop column updated_at,
  drop column updated_by;
alter table settings
  drop column seller_name,
  drop column seller_organisation_number,
  drop column seller_address,
  drop column seller_vat_registered,
  drop column support_email,
  drop column updated_by;
