-- Up Migration

-- The page that states the figures, in place of the front page of its municipality.
update exam_profile
set source_url = 'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/'
where name = 'samfunnskunnskap' and source_url = 'https://www.halden.kommune.no/';

-- Down Migration

update exam_profile
set source_url = 'https://www.halden.kommune.no/'
where name = 'samfunnskunnskap'
  and source_url = 'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/';
