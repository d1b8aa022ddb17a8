import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { workersMetrics } from './process-metrics.ts';

const database = useTestDatabase();

test('proveklar_rejected_events counts the open rejected events of each queue', async () => {
  await database.pool.query(
    `insert into rejected_event (event_id, name, queue, batch_id, payload, reason, state, closed_at,
       closed_by, dismissal)
     select gen_random_uuid(), 'service.ending', 'mail', gen_random_uuid(), '{}', 'bad', state,
       case state when 'open' then null else now() end,
       case state when 'open' then null else 'operator' end,
       case state when 'dismissed' then 'not needed' end
     from unnest(array['open', 'retried', 'dismissed']) as state`,
  );
  const registry = workersMetrics({ version: 'test', db: database.pool, queues: new Map() });
  const text = await registry.metrics();
  expect(text).toContain('proveklar_rejected_events{queue="mail"} 1');
  expect(text).toContain('proveklar_rejected_events{queue="live"} 0');
});
