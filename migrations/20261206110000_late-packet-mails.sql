-- Up Migration

-- The codes of a packet are deleted when their buyer has kept them and the mail with them is sent, whichever comes last.
alter table code_packet add column kept_at timestamptz, add column mailed_at timestamptz;

-- Down Migration

alter table code_packet drop column kept_at, drop column mailed_at;
