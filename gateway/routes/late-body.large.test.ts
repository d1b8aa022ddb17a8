import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { RouteOptions } from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { disableUser } from '@proveklar/services/accounts/disable-user.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import { documentedCalls } from '@proveklar/tests/support/examples/documented-calls.ts';
import { readApi, SET_UPS } from '@proveklar/tests/support/examples/every-example.ts';
import { prepareCall, type SentRequest } from '@proveklar/tests/support/examples/make-call.ts';
import { createAdministrator } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { ACCESS, ROLES_OF } from '#plugins/access.ts';

// A request passes the access check with its headers. Its body may arrive half a minute later, when the
// account has been closed, or its service has expired.

const { document, routes } = await readApi();
const examples = documentedCalls(document).filter(({ code }) => code === undefined);
/** Examples that replace an operation's first one, which changes nothing. */
const CHANGING_EXAMPLES: Record<string, string> = {
  importQuestions: 'importQuestions.goes_on',
  validateQuestion: 'validateQuestion.taken_back',
};
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const changing = routes
  .filter(({ method, config }) => CHANGES.has(String(method)) && config?.access !== 'public')
  // Shows what a file would become, and stores nothing.
  .filter(({ config }) => config?.docs?.operationId !== 'previewImport')
  .map((route) => ({ ...route, name: `${String(route.method)} ${route.url}` }));
const forLearners = changing.filter(({ config }) => !ROLES_OF[config!.access!]);

const gateway = useTestGateway();
let port = 0;
beforeAll(async () => {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = gateway.app.server.address() as AddressInfo);
});

const DISABLED = { status: 401, body: { code: 'account_disabled' } };
const EXPIRED = { status: 402, body: { code: 'service_expired' } };

/** An example of a route's operation, with its set-up. */
async function callOf({ name: route, config }: RouteOptions & { name: string }) {
  const { operationId = '' } = config?.docs ?? {};
  const wanted = CHANGING_EXAMPLES[operationId];
  const documented = examples.find(({ name, base }) =>
    wanted ? name === wanted : name === base && name.startsWith(`${operationId}.`),
  );
  if (!documented) throw new Error(`${route} has no example: see gateway/openapi/examples/`);
  const { sentRequest } = await prepareCall(gateway, documented, SET_UPS);
  const uid = uidIn(sentRequest);
  // The next test signs in the same administrator.
  onTestFinished(() => gateway.deps.identity.deleteUser(uid));
  return { documented, sentRequest, uid };
}

function uidIn({ headers }: SentRequest): string {
  const [, claims = ''] = (headers.authorization ?? '').split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/**
 * Sends the headers of a call, waits until the gateway has accepted it and waits for the body, runs
 * `meanwhile`, and sends the body: an empty object where an operation takes none, because the gateway
 * reads it all the same, also after DELETE.
 *
 * @returns the response, and the content of the tables before and after the body
 */
async function sendLate(
  { method, url, query, headers, payload = '{}' }: SentRequest,
  happens: () => Promise<unknown>,
) {
  const arrived = once(gateway.app.server, 'request');
  const call = httpRequest({
    port,
    method,
    path: `${url}?${new URLSearchParams(query).toString()}`,
    headers: {
      'content-type': 'application/json',
      ...headers,
      'content-length': Buffer.byteLength(payload),
    },
  });
  // A gateway that has responded may close the connection: an error before the response is a failure.
  call.on('error', () => {});
  call.flushHeaders();
  const [incoming] = (await arrived) as [IncomingMessage];
  const readers = () => incoming.listenerCount('data') + incoming.listenerCount('readable');
  await expect.poll(readers, { interval: 5 }).toBeGreaterThan(0);
  await happens();
  const before = await contents();
  call.end(payload);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const body = await json(response);
  return { answer: { status: response.statusCode, body }, before, after: await contents() };
}

/** Every row of every table except those that the gateway writes without a call, as text. */
async function contents(): Promise<string[]> {
  const { db } = gateway.deps;
  const { rows: tables } = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'process'`,
  );
  const parts = tables.map(
    ({ name }) => `select '${name} ' || to_jsonb(part)::text as row from ${name} part`,
  );
  const { rows } = await db.query<{ row: string }>(`${parts.join(' union all ')} order by 1`);
  return rows.map(({ row }) => row);
}

test('there are routes that change data for learners, subscribers and administrators', () => {
  const access = changing.map(({ config }) => config?.access);
  expect(changing.length).toBeGreaterThan(30);
  // What all roles of the portal may call only reads.
  const readOnly = new Set<string>(['public', 'portal']);
  expect(new Set(access)).toEqual(new Set(ACCESS.filter((one) => !readOnly.has(one))));
});

describe.each([
  ['deleted', deleteUser],
  ['disabled', disableUser],
])(
  'a call whose account is %s before its body comes is refused and writes nothing',
  (_how, close) => {
    test.each(changing)('$name', async (route) => {
      const { sentRequest, uid } = await callOf(route);
      const by = await createAdministrator(gateway.deps.db);
      const { answer, before, after } = await sendLate(sentRequest, () =>
        close(gateway.deps, uid, by),
      );
      if (close === deleteUser && route.config?.docs?.operationId === 'deleteAccount') {
        // The request succeeded.
        expect(answer).toEqual({ status: 200, body: { ok: true } });
      } else {
        expect(answer).toMatchObject(DISABLED);
      }
      if (route.config?.streamedBody) {
        // The upload is recorded with its headers: it ends, or pauses until it is forgotten, and none of this
        // part of its file is kept.
        const isFile = (row: string) => /^(question|import_chunk) /.test(row);
        expect(after.filter(isFile)).toEqual(before.filter(isFile));
        expect(after.join()).toMatch(/question_import {[^}]*"state": "(refused|paused)"/);
      } else {
        expect(after).toEqual(before);
      }
    });
  },
);

describe('a call whose service expires before its body arrives', () => {
  const expire = (uid: string) => () =>
    gateway.deps.db.query('update account set service_expires_at = now() where uid = $1', [uid]);

  test.each(forLearners.filter(({ config }) => config?.access === 'subscriber'))(
    '$name is refused and writes nothing',
    async (route) => {
      const { sentRequest, uid } = await callOf(route);
      const { answer, before, after } = await sendLate(sentRequest, expire(uid));
      expect(answer).toMatchObject(EXPIRED);
      expect(after).toEqual(before);
    },
  );

  test.each(forLearners.filter(({ config }) => config?.access === 'learner'))(
    '$name succeeds: it needs no active service',
    async (route) => {
      const { documented, sentRequest, uid } = await callOf(route);
      const { answer } = await sendLate(sentRequest, expire(uid));
      expect(answer.status, JSON.stringify(answer.body)).toBe(documented.status);
    },
  );
});
