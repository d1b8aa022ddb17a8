-- Up Migration

-- Which request an event comes from, { "request_id": text, "traceparent": text, when there are traces }:
-- for logs and traces only. Null for what no request caused, and from a gateway of before this column.
--
-- Every answer waits behind whoever waits for this table, such as while a backup reads it: rather fail,
-- and be run again.
set local lock_timeout = '3s';
alter table outbox add column trace jsonb;

-- Down Migration

alter table outbox drop column trace;
