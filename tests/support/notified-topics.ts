import pg from 'pg';
import { parseMessages } from '@proveklar/services/live/live.ts';

/** The topics of live updates that a call notifies the gateways of. */
export async function notifiedTopics(
  databaseUrl: string,
  call: () => Promise<unknown>,
): Promise<string[]> {
  const topics: string[] = [];
  const listener = new pg.Client(databaseUrl);
  listener.on('notification', ({ payload = '' }) => {
    topics.push(...parseMessages(payload).map(({ topic }) => topic));
  });
  await listener.connect();
  try {
    await listener.query('listen live');
    await call();
    // Its own notification is the last one, and arrives before the response.
    await listener.query(`select pg_notify('live', '[]')`);
  } finally {
    await listener.end();
  }
  return topics;
}
