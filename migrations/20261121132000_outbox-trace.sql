-- Up Migration

-- Which request an event comes from, { "request_id": text, "traceparent": text, when there are traces }:
-- for logs and traces only. Null for what no request caused, and from a gateway of before this column.
alter table outbox add column trace jsonb;

-- Down Migration

alter table outbox drop column trace;
