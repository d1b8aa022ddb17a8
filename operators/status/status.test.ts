import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FINDING_CODES } from '@proveklar/contract/operations.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import type { Facts } from './facts.ts';
import { renderStatus } from './page.ts';
import { evaluateHealth, summarize } from './parts.ts';
import type { Status } from './status.ts';

const idle = { waiting: 0, active: 0, delayed: 0, failed: 0, isPaused: false };
const process = (kind: 'gateway' | 'workers', silent = 1) => ({
  id: kind,
  kind,
  host: 'host',
  version: '1',
  started_at: new Date(0),
  seen_at: new Date(),
  seen_seconds_ago: silent,
  facts: { pid: 1, node: 'v24', memory_bytes: 1 },
});

const OFFSITE = { triedSeconds: 2_000_000, sentSeconds: 3_600, verifiedSeconds: 90_000 };

/** Facts of a healthy service, except for `facts`. */
const healthy = (facts: Partial<Facts> = {}): Facts => ({
  databaseMs: 1,
  connections: { used: 10, max: 97 },
  processes: [process('gateway'), process('workers')],
  quizzes: { lastHour: 3, lastSeconds: 20, hasQuestions: true },
  registered: 1,
  priceOre: 14_900,
  settled: 1,
  reconciled: { missedSeconds: 30, comparedSeconds: 3_600 },
  attention: {},
  unknownIntents: [],
  webhook: { lastHeardAt: null, lastSettledAt: null, heard: 0, missed: 0 },
  imports: { receiving: 0, working: 0, completed: 0, failed: 0 },
  mails: { sent: 5, refused: 0, lastSeconds: 60 },
  backup: { ageSeconds: 3_600, offsite: OFFSITE },
  backlog: {
    outboxEvents: 0,
    outboxOldestSeconds: 0,
    oldestUnconsumedSeconds: 0,
    oldestByQueue: {},
  },
  rejections: { byQueue: {}, groups: [] },
  pauses: new Map(),
  flows: Object.fromEntries(
    QUEUES.map((name) => [name, { state: 'flowing', canaryAgeSeconds: 5 }]),
  ),
  counts: new Map(QUEUES.map((name) => [name, idle])),
  evictionPolicy: 'noeviction',
  identity: { answeredSeconds: 10, problem: null },
  ...facts,
});

const summaryOf = (facts: Partial<Facts>) => summarize(evaluateHealth(healthy(facts), true));
const UNREAD = Object.fromEntries(
  Object.keys(healthy()).map((name) => [name, undefined]),
) as unknown as Facts;

test.each<[string, Partial<Facts>]>([
  ['All systems operational', {}],
  [
    'Learners cannot practise, pay or sign in: PostgreSQL does not answer',
    { ...UNREAD, counts: healthy().counts, identity: healthy().identity },
  ],
  [
    'Learners cannot practise, pay or sign in: no gateway runs',
    { processes: [process('workers'), process('gateway', 60)] },
  ],
  [
    'Learners cannot pay: Stripe has not answered for 10 min',
    { reconciled: { missedSeconds: 600, comparedSeconds: 3_600 } },
  ],
  [
    'Learners cannot sign in: the identity provider does not answer: ECONNREFUSED',
    { identity: { answeredSeconds: 300, problem: 'ECONNREFUSED' } },
  ],
  [
    'Learners are served, but Redis does not answer: events wait in the outbox',
    { evictionPolicy: undefined, counts: new Map(QUEUES.map((name) => [name, undefined])) },
  ],
  [
    'Learners are served, but an event has waited in the outbox for 2 min',
    { backlog: { ...healthy().backlog!, outboxOldestSeconds: 130 } },
  ],
  [
    'Learners are served, but nothing has come through mail for 3 min',
    { flows: { ...healthy().flows, mail: { state: 'stuck', canaryAgeSeconds: 170 } } },
  ],
  [
    'Operational, with warnings: queues (paused: mail)',
    { counts: new Map([...healthy().counts, ['mail', { ...idle, isPaused: true }]]) },
  ],
  [
    'Operational, with warnings: queues (paused: mail, for 5 min)',
    {
      counts: new Map([...healthy().counts, ['mail', { ...idle, isPaused: true }]]),
      pauses: new Map([['mail', 300]]),
    },
  ],
  [
    'Operational, with warnings: queues (2 jobs failed on all attempts: mail), gateways and workers (the gateway on host stopped without shutting down 60 s ago)',
    {
      counts: new Map([...healthy().counts, ['mail', { ...idle, failed: 2 }]]),
      processes: [...healthy().processes!, process('gateway', 60)],
    },
  ],
  [
    'Operational, with warnings: gateways and workers (the gateway on host stopped 2 times without shutting down, the last time 50 s ago)',
    { processes: [...healthy().processes!, process('gateway', 60), process('gateway', 50)] },
  ],
  [
    'Operational, with warnings: queues (3 rejected events: mail, live)',
    { rejections: { byQueue: { mail: 2, statistics: 0, live: 1 }, groups: [] } },
  ],
  [
    'Learners are served, but the last backup is 2 days old',
    { backup: { ageSeconds: 200_000, offsite: OFFSITE } },
  ],
  [
    'Operational, with warnings: backup (no backup is sent off this machine)',
    { backup: { ageSeconds: 60, offsite: undefined } },
  ],
  [
    'Operational, with warnings: backup (no backup has been sent off this machine yet)',
    {
      backup: {
        ageSeconds: 60,
        offsite: { triedSeconds: 60, sentSeconds: null, verifiedSeconds: null },
      },
    },
  ],
  [
    'Learners are served, but no backup has been sent off this machine yet',
    {
      backup: {
        ageSeconds: 60,
        offsite: { triedSeconds: 200_000, sentSeconds: null, verifiedSeconds: null },
      },
    },
  ],
  [
    'Learners are served, but the last backup off this machine is 2 days old',
    { backup: { ageSeconds: 60, offsite: { ...OFFSITE, sentSeconds: 200_000 } } },
  ],
  [
    'Operational, with warnings: backup (no copy has been restored as a test yet)',
    { backup: { ageSeconds: 60, offsite: { ...OFFSITE, verifiedSeconds: null } } },
  ],
  [
    'Operational, with warnings: backup (a copy was restored as a test 12 days ago)',
    { backup: { ageSeconds: 60, offsite: { ...OFFSITE, verifiedSeconds: 1_000_000 } } },
  ],
])('summarizes the status: %s', (summary, facts) => {
  expect(summaryOf(facts)).toBe(summary);
});

test('reports no fault of Stripe while no workers run', () => {
  const reconciled = { missedSeconds: 600, comparedSeconds: 3_600 };
  const parts = evaluateHealth(healthy({ reconciled, processes: [process('gateway')] }), true);
  expect(parts.find(({ id }) => id === 'pay')).toMatchObject({ level: 'warning' });
});

/** Facts with every kind of problem; together they have most findings. */
const PROBLEMS: Partial<Facts>[] = [
  {},
  { ...UNREAD, counts: healthy().counts, identity: healthy().identity },
  { evictionPolicy: undefined },
  {
    evictionPolicy: 'allkeys-lru',
    priceOre: 0,
    backup: { ageSeconds: 200_000, offsite: undefined },
  },
  {
    processes: [
      process('gateway', 60),
      { ...process('workers'), version: '2' },
      process('workers'),
    ],
    flows: { ...healthy().flows, payments: { state: 'stuck', canaryAgeSeconds: null } },
    reconciled: { missedSeconds: 600, comparedSeconds: null },
    identity: { answeredSeconds: 300, problem: 'ECONNREFUSED' },
    backup: {
      ageSeconds: 60,
      offsite: { ...OFFSITE, sentSeconds: 200_000, verifiedSeconds: 1_000_000 },
    },
    quizzes: { lastHour: 0, lastSeconds: null, hasQuestions: false },
  },
  {
    reconciled: { missedSeconds: 600, comparedSeconds: 900_000 },
    attention: { disputed: 1, mismatch: 2 },
    unknownIntents: ['pi_1', 'pi_2'],
    webhook: { lastHeardAt: null, lastSettledAt: new Date(0), heard: 0, missed: 0 },
    imports: { receiving: 0, working: 0, completed: 0, failed: 2 },
    mails: { sent: 5, refused: 50, lastSeconds: 60 },
    connections: { used: 96, max: 97 },
    backup: {
      ageSeconds: undefined,
      offsite: { ...OFFSITE, sentSeconds: null, verifiedSeconds: null },
    },
    rejections: { byQueue: { mail: 2 }, groups: [] },
    counts: new Map([...healthy().counts, ['mail', { ...idle, isPaused: true, failed: 1 }]]),
    backlog: {
      ...healthy().backlog!,
      outboxOldestSeconds: 130,
      oldestByQueue: { statistics: 90_000 },
    },
  },
];

test.each(['no', 'en'])('the portal has a text of every finding (%s)', async (language) => {
  const file = join(import.meta.dirname, `../../frontend/src/texts/admin.${language}.json`);
  const { operations } = JSON.parse(await readFile(file, 'utf8')) as {
    operations: Record<'found' | 'advice', Record<string, string>>;
  };
  const textsOf = (texts: Record<string, string>, code: string) =>
    [code, `${code}_one`, `${code}_other`].flatMap((key) => texts[key] ?? []);
  for (const code of FINDING_CODES)
    expect([code, textsOf(operations.found, code)]).not.toEqual([code, []]);

  const findings = PROBLEMS.flatMap((facts) =>
    evaluateHealth(healthy(facts), true).flatMap((part) => part.findings),
  );
  for (const { found, code = '', values = {}, advice } of findings) {
    const filled = new Set(
      Object.keys(values).map((name) => (name === 'count' ? 'n' : name.replace(/_s$/, ''))),
    );
    const texts = textsOf(operations.found, code);
    const slots = texts.flatMap((text) =>
      [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, slot]) => slot),
    );
    expect([found, texts.length > 0, slots.filter((slot) => !filled.has(slot!))]).toEqual([
      found,
      true,
      [],
    ]);
    expect([found, Boolean(operations.advice[code]) || !advice]).toEqual([found, true]);
  }
  expect(new Set(findings.map(({ code }) => code)).size).toBeGreaterThan(30);
});

test('every part links an existing heading of the docs, and the page escapes all text', async () => {
  const parts = evaluateHealth(healthy(), true);
  for (const { page } of parts) {
    const [path = '', anchor] = page.split('#', 2);
    const text = await readFile(join(import.meta.dirname, '../..', path), 'utf8');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings, page).toEqual(anchor ? expect.arrayContaining([anchor]) : expect.anything());
  }
  const status: Status = {
    level: 'ok',
    verdict: '<script>',
    at: new Date().toISOString(),
    backend: 'redis',
    parts: parts.map((part) => ({ ...part, since: null })),
    queues: [],
    rejections: [],
    processes: [],
  };
  expect(renderStatus(status, { isRefreshPaused: false })).toContain('<h1>&lt;script&gt;.</h1>');
  expect(renderStatus(status, { isRefreshPaused: false })).not.toContain('Rejected events');
  const rejections = [
    {
      queue: 'mail',
      name: 'service.ending',
      reason: 'payload must be <object>',
      sqlstate: '22001',
      count: 12,
      ids: [4, 7],
      oldestSeconds: 600,
    },
  ];
  const page = renderStatus({ ...status, rejections }, { isRefreshPaused: false });
  for (const text of ['must be &lt;object&gt;', 'SQLSTATE 22001', '4, 7, …', '10 min', 'retry 4']) {
    expect(page).toContain(text);
  }
});
