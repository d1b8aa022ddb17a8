-- Up Migration

-- The pages that state the figures, in place of the front page of a municipality. A profile that an administrator has changed stays.
update exam_profile
set source_url = 'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/'
where name = 'samfunnskunnskap' and source_url = 'https://www.halden.kommune.no/' and updated_at is null;

-- HK-dir's director, who sets the test: 32 questions count, 24 right, 60 minutes. Four more are tried out.
update exam_profile
set source_url = 'https://utrop.no/nyheter/nytt/333413'
where name = 'statsborger' and source_url = 'https://www.halden.kommune.no/' and updated_at is null;

-- Down Migration

update exam_profile
set source_url = 'https://www.halden.kommune.no/'
where updated_at is null and source_url in (
  'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/',
  'https://utrop.no/nyheter/nytt/333413');
