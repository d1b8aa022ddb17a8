// Over 400 lines: one test, whose parts share what was prepared and found.

import { Writable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LimitsConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import { setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { createLogger } from '@proveklar/services/logging/logger.ts';
import { requestReconciliation } from '@proveklar/services/payments/incoming/reconcile.ts';
import { QUESTIONS, TRANSLATION } from '@proveklar/gateway/openapi/examples/values.ts';
import { documentedCalls } from '#support/examples/documented-calls.ts';
import { readApi, SET_UPS } from '#support/examples/every-example.ts';
import { sentRequestOf } from '#support/examples/make-call.ts';
import { addExampleQuestions } from '#support/examples/set-up.ts';
import { createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { workOn } from '#support/imports.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { randomFor } from '#support/random.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';
import { printTable } from '#support/figures.ts';
import { createCallers, type Callers } from './callers.ts';
import {
  drafts,
  hostileVariants,
  KnownValues,
  mutations,
  operationsOf,
  smaller,
  urlOf,
  type Draft,
  type FuzzedOperation,
} from './calls.ts';
import { createFuzzClient, type Answer } from './client.ts';
import { brokenInvariants, drained, INVARIANT_COUNT, recordEvents } from './invariants.ts';
import { ROLES_OF } from '@proveklar/gateway/plugins/access.ts';
import { createAnswerCheck, MAY_CALL, ROLES, type Role } from './check-answer.ts';

// Whatever is sent, the API answers as its document says, and the database keeps its invariants.
/** Calls for each queue back end. */
const CALLS = bySize({ quick: 500, large: 1_200, full: 24_000 });
/** Of all calls, and of all hostile values in all places of a call: together some 40,000. */
const HOSTILE_CALLS = bySize({ quick: 0.03, large: 0.15, full: 1 });
const HOSTILE_VALUES = bySize({ quick: 0.2, large: 0.2, full: 1 });
const CALLS_UNDER_LIMITS = bySize({ quick: 100, large: 200, full: 1_000 });
/** The full size takes minutes, and longer on a busy host: only a call that hangs takes an hour. */
const TIMEOUT_MS = 60 * 60_000;
const AT_ONCE = 32;
/** Roles whose user a call may have deleted or signed out. */
const RENEWED: readonly Role[] = ['expired', 'learner', 'admin'];
/** Requests that are tried for each step of shrinking a failing one. */
const MAX_SHRINK_TRIES = 40;
/** After so many batches of calls, the set-up of an example is run again. */
const BATCHES_PER_SET_UP = 6;
const SEED = testSeed('these calls');

const { document, routes } = await readApi();
const operations = operationsOf(document, routes);
const succeeding = documentedCalls(document).filter(({ status }) => status < 400);

/** A request that succeeds by its example, and who sends it. */
interface Prepared {
  operation: FuzzedOperation;
  draft: Draft;
  authorization: string | null;
}

interface Fault {
  what: string;
  operation: FuzzedOperation;
  role: Role;
  draft: Draft;
  authorization: string | null;
  answer: Answer;
  /** The operations with this fault. */
  operations: Set<string>;
}

describe.each(await queueBackends())('with queues on $name', ({ name, redisUrl }) => {
  const errors: string[] = [];
  const log = createLogger(
    { kind: 'gateway', level: 'error', version: 'test' },
    new Writable({
      write(chunk, _encoding, done) {
        errors.push(String(chunk));
        done();
      },
    }),
  );
  const gateway = useTestGateway({ log });
  const mailbox = useTestMailbox();
  const workers = useTestWorkers();
  let origin: string;

  beforeAll(async () => {
    origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    await recordEvents(gateway.deps.db);
  });

  test(
    `${CALLS + CALLS_UNDER_LIMITS} calls are answered as documented, and break no invariant of the database`,
    { timeout: TIMEOUT_MS },
    async () => {
      const { db, stripe, limits } = gateway.deps;
      const began = performance.now();
      const seconds = () => Math.round((performance.now() - began) / 1000);
      const random = randomFor(SEED, 'calls');
      const client = createFuzzClient(origin);
      const faultsOf = createAnswerCheck(document);
      const { rows: profiles } = await db.query<object>('select * from exam_profile');
      const known = new KnownValues();
      const arbitraries = new Map(operations.map((one) => [one, drafts(one, known)]));
      const prepared = new Map<string, Prepared>();
      const faults = new Map<string, Fault>();
      const perRole = Object.fromEntries(ROLES.map((role) => [role, 0])) as Record<Role, number>;
      const perStatus: Record<string, number> = {};
      const succeeded = new Set<string>();
      const refusals = new Map<string, string>();
      let callers: Callers | undefined;
      let [calls, slowest, slowestOf, failedSetUps] = [0, 0, '', 0];

      async function send(
        operation: FuzzedOperation,
        role: Role,
        draft: Draft,
        authorization: string | null,
      ): Promise<Answer> {
        const answer = await client.send(operation, draft, authorization);
        calls += 1;
        perRole[role] += 1;
        perStatus[answer.status] = (perStatus[answer.status] ?? 0) + 1;
        if (answer.ms > slowest) [slowest, slowestOf] = [answer.ms, operation.operationId];
        if (answer.status >= 200 && answer.status < 300) {
          succeeded.add(operation.operationId);
          if (String(answer.headers['content-type']).startsWith('application/json')) {
            known.harvest(JSON.parse(answer.text));
          }
        }
        if (answer.status >= 400) {
          refusals.set(operation.operationId, `${answer.status} ${answer.text.slice(0, 200)}`);
        }
        for (const what of faultsOf(operation, role, answer)) {
          // An earlier call may have given days to everyone, or made access free.
          const isOfRole = what.startsWith(`${role} was answered`);
          if (isOfRole && callers && !(await callers.isStill(role))) continue;
          const withFault = faults.get(what)?.operations ?? new Set();
          withFault.add(operation.operationId);
          if (!faults.has(what)) {
            const fault = { what, operation, role, draft, authorization, answer };
            faults.set(what, { ...fault, operations: withFault });
          }
        }
        return answer;
      }

      /** Processes the imports that earlier calls have left: an example's own import would wait for them. */
      async function processImports(): Promise<void> {
        const { rows } = await db.query<{ id: string }>(
          `select id from question_import where state in ('processing', 'undoing') order by id`,
        );
        for (const { id } of rows) await workOn(db, id);
      }

      /** Runs the set-up of an example, next to the rows that are there, and remembers its request. */
      async function prepare(example: (typeof succeeding)[number]): Promise<Prepared> {
        await processImports();
        // Examples expect that the bank has only their own questions, and none like them.
        await db.query(
          `with aside as (
           update question set retired_at = coalesce(retired_at, now()), uuid = gen_random_uuid(),
             question = gen_random_uuid()
           where retired_at is null or uuid = any ($1) returning id)
         delete from question_signature using aside where question_id = aside.id`,
          [[...QUESTIONS, TRANSLATION].map(({ uuid }) => uuid)],
        );
        await db.query('delete from glossary_entry');
        // A test that shows fewer questions may leave the example's out.
        await db.query(
          `update exam_profile set questions_shown = kept.questions_shown,
             questions_counted = kept.questions_counted, pass_mark = kept.pass_mark
           from jsonb_populate_recordset(null::exam_profile, $1::jsonb) kept
           where kept.name = exam_profile.name`,
          [JSON.stringify(profiles)],
        );
        await setPrice(db, 149_00);
        const call = await SET_UPS[example.name]!(gateway);
        const request = sentRequestOf(example, call);
        const operation = operations.find((one) => one.operationId === example.operationId)!;
        const { pathname } = new URL(request.url, origin);
        const places = operation.url.split('/');
        const path = Object.fromEntries(
          pathname.split('/').flatMap((part, at) => {
            const [, parameter] = /^\{(\w+)\}$/.exec(places[at] ?? '') ?? [];
            return parameter ? [[parameter, part]] : [];
          }),
        );
        const { authorization = null, ...headers } = request.headers;
        const query = Object.fromEntries(
          Object.entries(request.query).map(([key, value]) => [key, encodeURIComponent(value)]),
        );
        known.harvest(path);
        const made = {
          operation,
          draft: {
            path,
            query,
            headers,
            ...(request.payload !== undefined && { body: request.payload }),
          },
          authorization,
        };
        prepared.set(operation.operationId, made);
        return made;
      }

      /** The smallest request found that still has the fault; the database may have changed meanwhile. */
      async function smallest(fault: Fault): Promise<Fault> {
        const { operation, role, authorization, what } = fault;
        for (const draft of smaller(fault.draft).take(MAX_SHRINK_TRIES)) {
          const answer = await client.send(operation, draft, authorization);
          if (faultsOf(operation, role, answer).includes(what)) {
            return smallest({ ...fault, draft, answer });
          }
        }
        return fault;
      }

      const roleOf = ({ operation, authorization }: Prepared): Role => {
        if (authorization === null) return 'anonymous';
        return ROLES_OF[operation.access] ? 'admin' : 'learner';
      };
      const drawn = <T>(arbitrary: fc.Arbitrary<T>): T =>
        fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: 1 })[0]!;
      const among = <T>(values: readonly T[]): T => values[random.below(values.length)]!;

      /**
       * Runs each example: its set-up, its call with an invalid value, and its call three times at once.
       * Returns the operations that never succeeded, each with its last answer.
       */
      async function playExamples(): Promise<string[]> {
        for (const example of succeeding) {
          const made = await prepare(example);
          const { operation, draft, authorization } = made;
          const role = roleOf(made);
          // The example's import would wait for an earlier one.
          if (operation.operationId !== 'importQuestions') {
            const bad = mutations(draft, arbitraries.get(operation)!).filter(
              (other) => other !== draft,
            );
            await send(operation, role, drawn(bad), authorization);
          }
          await Promise.all([1, 2, 3].map(() => send(operation, role, draft, authorization)));
        }
        return operations
          .map(({ operationId }) => operationId)
          .filter((operationId) => !succeeded.has(operationId))
          .map((operationId) => `${operationId}: ${refusals.get(operationId) ?? 'never called'}`);
      }

      /** Makes a call drawn from the document, or a mutation of the operation's last example. */
      async function callOnce(by: Callers): Promise<{ role: Role; status: number }[]> {
        const operation = among(operations);
        const sequence = prepared.get(operation.operationId);
        if (!sequence || random.chance(0.6)) {
          const role = among(random.chance(0.6) ? MAY_CALL[operation.access] : ROLES);
          const draft = drawn(arbitraries.get(operation)!);
          const { status } = await send(operation, role, draft, by.authorization(role, random));
          return [{ role, status }];
        }
        const role = roleOf(sequence);
        const draft = drawn(mutations(sequence.draft, arbitraries.get(operation)!));
        // There is one administrator, whose sessions a call may have ended since.
        const authorization =
          role === 'admin' ? by.authorization(role, random) : sequence.authorization;
        const times = random.chance(0.1) ? 3 : 1;
        const answers = await Promise.all(
          Array.from({ length: times }, () => send(operation, role, draft, authorization)),
        );
        return role === 'admin' ? answers.map(({ status }) => ({ role, status })) : [];
      }

      async function callAtRandom(count: number, by: Callers): Promise<void> {
        for (let batches = 0; batches < count / AT_ONCE; batches += 1) {
          if (batches % BATCHES_PER_SET_UP === 0) {
            // A set-up fails when a worker processes the same rows meanwhile; then the last one stays.
            await prepare(among(succeeding)).catch(() => (failedSetUps += 1));
            await addExampleQuestions(gateway);
            for (const language of ['no', 'en']) await createQuestions(db, { language, count: 40 });
          }
          const batch = await Promise.all(Array.from({ length: AT_ONCE }, () => callOnce(by)));
          const refused = batch.flat().filter(({ status }) => status === 401);
          for (const role of RENEWED) {
            if (refused.some((one) => one.role === role)) await by.renew(role);
          }
          if (!(await by.isStill('expired'))) {
            await setPrice(db, 149_00);
            await by.renew('expired');
          }
        }
      }

      /** Makes each example's call with one hostile value, in every place of it. */
      async function callWithHostileValues(by: Callers): Promise<void> {
        const draws = randomFor(SEED, `hostile values, queues on ${name}`);
        // Each call of this one waits for its import; rows are made hostile by the calls above.
        const waits = 'importQuestions';
        const drawn = succeeding.filter(
          ({ operationId }) => operationId !== waits && draws.chance(HOSTILE_CALLS),
        );
        for (const example of drawn) {
          const made = await prepare(example).catch(() => null);
          if (!made) {
            failedSetUps += 1;
            continue;
          }
          const { operation, draft, authorization } = made;
          const role = roleOf(made);
          const variants = [...hostileVariants(operation, draft)].filter(() =>
            draws.chance(HOSTILE_VALUES),
          );
          for (let sent = 0; sent < variants.length; sent += AT_ONCE) {
            const batch = variants.slice(sent, sent + AT_ONCE);
            // A call may have ended the administrator's session.
            const calling = batch.map((variant) =>
              send(
                operation,
                role,
                variant,
                role === 'admin' ? by.authorization(role, draws) : authorization,
              ),
            );
            const answers = await Promise.all(calling);
            if (role === 'admin' && answers.some(({ status }) => status === 401))
              await by.renew(role);
          }
        }
      }

      let unreached: string[] = [];
      let examplesAfter = 0;
      try {
        // Without workers, which would process rows that some examples expect to be waiting.
        unreached = await playExamples();
        examplesAfter = seconds();
        const { start } = await workers.on(gateway, redisUrl, { SMTP_URL: mailbox.smtpUrl });
        start();
        callers = await createCallers(gateway);
        await callAtRandom(CALLS - calls, callers);
        await callWithHostileValues(callers);
        // The same with the default rate limits.
        Object.assign(limits, limitsOf(parseConfig(LimitsConfig, {})));
        await callAtRandom(CALLS_UNDER_LIMITS, callers);
      } finally {
        for (const fault of faults.values()) {
          process.stdout.write(`${asText(await smallest(fault))}\n\n`);
        }
        client.close();
      }
      const made = seconds();
      // A payer may have paid without the confirming call, and no webhook arrives here.
      const since = new Date(Date.now() - 60 * 60_000);
      await withTransaction(db, (tx) =>
        requestReconciliation(tx, { requestedBy: 'operator', since }),
      );
      // A call may have paused queues.
      await setQueuesPaused(db, { names: QUEUES, paused: false, by: 'operator' });
      await drained(db);
      const drainedAfter = seconds();

      const broken = await brokenInvariants(db, stripe);
      if (Object.keys(broken).length > 0)
        process.stdout.write(`${JSON.stringify(broken, null, 1)}\n`);
      printTable(`Fuzzing (seed ${SEED}, queues on ${name})`, {
        ...Object.fromEntries(Object.entries(perRole).map(([role, n]) => [`calls as ${role}`, n])),
        ...Object.fromEntries(
          Object.entries(perStatus).map(([status, n]) => [`answered ${status}`, n]),
        ),
        calls,
        'seconds, examples': examplesAfter,
        'seconds, calls': made,
        'seconds until drained': drainedAfter,
        'slowest ms': Math.round(slowest),
        'slowest operation': slowestOf,
        'operations with 2xx': `${succeeded.size} of ${operations.length}`,
        'without 2xx': unreached.length,
        'set-ups that failed': failedSetUps,
        'answers with 5xx': Object.entries(perStatus)
          .filter(([status]) => Number(status) >= 500)
          .reduce((sum, [, count]) => sum + count, 0),
        'kinds of faults': faults.size,
        'broken invariants': `${Object.keys(broken).length} of ${INVARIANT_COUNT}`,
      });
      expect(faults.size, [...faults.values()].map(asText).join('\n')).toBe(0);
      expect(unreached).toEqual([]);
      expect(broken).toEqual({});
      expect(perStatus[429]).toBeGreaterThan(0);
    },
  );

  /** The request that reproduces a fault, with the answer. */
  function asText({ what, operation, role, draft, answer, operations: withFault }: Fault): string {
    const id = String(answer.headers['x-request-id']);
    return [
      `${what} (${[...withFault].join(', ')}; TEST_SEED=${SEED})`,
      `  as ${role}: ${operation.method.toUpperCase()} ${urlOf(operation, draft)}`,
      `  headers: ${JSON.stringify(draft.headers)}`,
      `  body: ${String(draft.body ?? 'none').slice(0, 2_000)}`,
      `  answer: ${answer.status} ${answer.text.slice(0, 300)}`,
      `  log: ${errors.find((line) => line.includes(id))?.slice(0, 1_500) ?? 'nothing'}`,
    ].join('\n');
  }
});
