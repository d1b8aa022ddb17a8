import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { untilReady } from '@proveklar/local/until-ready.ts';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway, type Answer } from '#support/gateway.ts';
import { fileRow, reportOf, tracesOf } from '#support/imports.ts';
import { bySize } from '#support/settings.ts';
import { partsOf, rowOf, sheetOf, xlsxOf, zipOf } from '#support/xlsx.ts';
import { workerEnvironment } from '#support/workers.ts';

// Malformed and malicious files, sent to a gateway and a worker in processes of their own. Each file has
// one answer, and other requests do not suffer.
const MB = 1024 * 1024;
const LARGE = bySize({ quick: 20, large: 20, full: 500 }) * MB;
/** Less than half of the full size. What is not collected yet counts, too: up to 130 MB on a busy machine. */
const MAX_GROWTH = 200 * MB;
const SERVER = fileURLToPath(new URL('../../gateway/server.ts', import.meta.url));
const WORKERS = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

const gateway = useTestGateway();
let folder: string;
let url: string;
let token: string;
let server: Child;
let worker: Child;

beforeAll(async () => {
  const { deps, database, identity } = gateway;
  folder = await mkdtemp(join(tmpdir(), 'proveklar-hostile-'));
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}/api/v1`;
  const { config } = deps;
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, `${value}`]),
  );
  const env = { PATH: process.env.PATH, ...settings, LOG_LEVEL: 'warn', PORT: `${port}` };
  server = startNode({
    name: 'gateway',
    script: [SERVER],
    env,
    logFile: join(folder, 'gateway.log'),
  });
  await prepareQueueBackend(database.url);
  worker = startNode({
    name: 'workers',
    script: [WORKERS],
    env: workerEnvironment(config, database.url),
    logFile: join(folder, 'workers.log'),
  });
  token = (await identity.signInWithGoogle({ email: config.ADMIN_EMAIL })).idToken;
  const isReady = () =>
    fetch(`${url}/topics`).then(
      ({ ok }) => ok,
      () => false,
    );
  const logFile = join(folder, 'gateway.log');
  await untilReady({ child: server, isReady, logFile });
  // The first import waits for the worker to start.
  await send('[]');
});
afterAll(async () => {
  await Promise.all([server?.stop(), worker?.stop()]);
  await rm(folder, { recursive: true });
});

type Body = string | Buffer | AsyncIterable<Uint8Array>;

async function send(body: Body | undefined, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}/import/questions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'wait=100',
      ...headers,
    },
    ...(body !== undefined && { body, duplex: 'half' as const }),
  });
  return { status: response.status, body: await response.json() };
}

/** The reason for a refusal, once nothing of the import is left. */
async function refusalOf({ status, body }: Answer): Promise<Record<string, unknown>> {
  expect([status, body.code]).toEqual([400, 'import_refused']);
  const { import_id: id, ...refusal } = body.details;
  const traces = () => tracesOf(gateway.deps.db, id as string);
  await expect.poll(traces).toEqual({ questions: 0, updates: 0, chunks: 0 });
  return refusal as Record<string, unknown>;
}

let count = 0;
/** A valid row that no other test has, as text; `change` is inserted verbatim. */
const row = (change = '') =>
  `${JSON.stringify(fileRow(`${(count += 1)}?`)).slice(0, -1)}${change}}`;

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** A workbook of a megabyte that becomes 500. */
function workbookBomb(): Buffer {
  const rows = `<row>${'<c/>'.repeat(1000)}</row>`;
  return zipOf([
    ...partsOf({ sheets: { Ark1: '' } }).slice(0, 2),
    { name: 'xl/worksheets/sheet0.xml', content: Buffer.alloc(501 * MB, rows) },
  ]);
}

describe('refuses a whole file', () => {
  const good = row();
  const cases: [string, Body | undefined, string, number | null, number | null][] = [
    ['without a body', undefined, 'empty', null, 0],
    ['that is empty', '', 'empty', null, 0],
    ['with white space only', ' \n\t\r\n', 'empty', null, 5],
    ['that is an object', '{"questions":[]}', 'not_an_array', null, 0],
    ['that is a string', '"[]"', 'not_an_array', null, 0],
    ['that is a number', '7', 'not_an_array', null, 0],
    ['that is HTML', '<!doctype html><title>Sign in</title>', 'not_an_array', null, 0],
    ['in UTF-16', Buffer.from(`\uFEFF[${good}]`, 'utf16le'), 'not_an_array', null, 0],
    ['that is packed twice', gzipSync(gzipSync(`[${good}]`)), 'not_an_array', null, 0],
    ['that is packed and cut', gzipSync(`[${good}]`).subarray(0, -9), 'not_gzip', null, null],
    [
      'that becomes a thousand times as large',
      gzipSync(Buffer.alloc(50 * MB, ' ')),
      'unpacked_ratio',
      null,
      null,
    ],
    ['that is a zip file', zipOf([{ name: 'a', content: 'x' }]), 'not_xlsx', null, null],
    ['that is a workbook of before 2007', OLE, 'xls', null, null],
    [
      'that is a workbook with a password',
      Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]),
      'xlsx_encrypted',
      null,
      null,
    ],
    ['that is a workbook of 500 MB, packed', workbookBomb(), 'xlsx_too_large', null, null],
    ['of brackets', '['.repeat(100_000), 'cut_off', null, 100_000],
    ['cut off in a row', `[${good},{"language":`, 'cut_off', null, good.length + 14],
    ['cut off in a string', `[${good},{"lang`, 'cut_off', null, good.length + 8],
    ['cut off between rows', `[${good}`, 'cut_off', null, good.length + 1],
    ['cut off after a comma', `[${good},`, 'cut_off', null, good.length + 2],
    ['with more after its end', `[${good}] x`, 'more_after_the_end', null, good.length + 3],
    ['that is two', `[${good}][${good}]`, 'more_after_the_end', null, good.length + 2],
    ['with a comma before its end', `[${good},]`, 'not_json', null, good.length + 2],
    ['with a comma missing', `[${good} ${good}]`, 'not_json', null, good.length + 2],
    ['with two commas', `[${good},,${good}]`, 'not_json', null, good.length + 2],
    ['with no JSON between', `[${good}, nonsense]`, 'not_json', 2, good.length + 3],
    ['with a NUL between rows', `[${good},\0${good}]`, 'not_json', null, good.length + 2],
  ];
  test.each(cases)('%s', async (_name, body, reason, at, byte) => {
    const { line, column, excerpt, missing, unknown, ...refusal } = await refusalOf(
      await send(body),
    );
    expect(refusal).toEqual({ reason, row: at, byte });
    // JSON has lines and columns.
    const isLocated = byte !== null;
    expect([line !== null, column !== null, missing, unknown]).toEqual([
      isLocated,
      isLocated,
      [],
      [],
    ]);
    expect(String(excerpt).length).toBeLessThan(150);
  });

  test.each<[string, Record<string, string>]>([
    ['packed in another way', { 'content-encoding': 'br' }],
    ['of another type', { 'content-type': 'application/xml' }],
  ])('%s', async (_name, headers) => {
    const answer = await send('[]', headers);
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('rejects a row, and imports the rows next to it:', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const broken = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"question":"'), Buffer.from(bytes), Buffer.from('"}')]);
  const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join(',');
  const fewerKeys = Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',');
  const cases: [string, string | Buffer, RegExp][] = [
    ['nested a hundred thousand deep', deep, / too_deep$/],
    ['with a million keys', `{${keys}}`, / too_large$/],
    ['with twenty thousand keys', row(`,${fewerKeys}`), / unknown_field/],
    ['of ten million characters', `{"a":"${'x'.repeat(10_000_000)}"}`, / too_large$/],
    ['with broken UTF-8', broken(0xc3, 0x28), / not_utf8$/],
    ['with overlong UTF-8', broken(0xc0, 0xaf), / not_utf8$/],
    ['with half a pair in UTF-8', broken(0xed, 0xa0, 0x80), / not_utf8$/],
    ['with half a pair', row(',"explanation":"\\ud800"'), / unstorable$/],
    ['with a NUL', row(',"explanation":"\\u0000"'), / unstorable$/],
    ['with __proto__', row(',"__proto__":{"answer":"x"}'), /__proto__ unknown_field$/],
    ['with a constructor', row(',"constructor":{"prototype":{}}'), /constructor unknown_field$/],
    ['with numbers for texts', row(',"answer":1,"question":2'), / not_text/],
    ['that is a list', '[[1]]', / not_an_object$/],
    ['that is null', 'null', / not_an_object$/],
    ['that is a number', '-1.5e300', / not_an_object$/],
  ];
  test.each(cases)('%s', async (_name, bad, reason) => {
    const parts = [`[${row()},`, bad, `,${row()}]`].map((part) => Buffer.from(part));
    const { status, body } = await send(Buffer.concat(parts));
    expect([status, body]).toMatchObject([200, { import: { imported: 2, rejected: 1, rows: 3 } }]);
    const [line, ...more] = await reportOf(gateway.deps.db, body.import_id as string);
    expect([line, more]).toEqual([expect.stringMatching(/^2 rejected/), []]);
    expect(line!.slice(0, 10_000)).toMatch(reason);
    expect(line!.length).toBeLessThan(10_000);
  });
});

const workbook = (questions: string[]) =>
  xlsxOf({
    sheets: {
      Ark1: sheetOf(
        rowOf(['Språk', 'Tema', 'Spørsmål', 'Riktig svar', 'Galt svar 1']) +
          questions.map((text) => rowOf(['no', 't', text, 'a', 'b'])).join(''),
      ),
    },
  });

describe('imports a file', () => {
  test.each<[string, () => string | Buffer, number]>([
    ['with nothing in it', () => '[]', 0],
    ['that is packed with gzip', () => gzipSync(`[${row()},${row()}]`), 2],
    ['that is a workbook', () => workbook(['Hva er en arbeidsbok?', 'Hva er et ark?']), 2],
    ['with a byte-order mark', () => `\uFEFF[${row()}]`, 1],
    ['with white space everywhere', () => `\r\n [\t\n${row()} \n,\n${row()}\n]\n `, 2],
  ])('%s', async (_name, file, imported) => {
    expect(await send(file())).toMatchObject({ status: 200, body: { count: imported } });
  });

  test('with 100,000 copies of one question, once', async () => {
    const same = row();
    const file = `[${`${same},`.repeat(99_999)}${same}]`;
    expect(await send(file)).toMatchObject({
      status: 200,
      body: { count: 1, import: { duplicates: 99_999 } },
    });
  });

  test('with a huge string, in little memory, while others are served', async () => {
    const before = [await memoryOf(server), await memoryOf(worker)];
    const most = [...before];
    const waits: number[] = [];
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        const began = performance.now();
        await (await fetch(`${url}/topics`)).text();
        waits.push(performance.now() - began);
        for (const [index, child] of [server, worker].entries()) {
          most[index] = Math.max(most[index]!, await memoryOf(child));
        }
        await sleep(20);
      }
    })();
    const began = Date.now();
    const { status, body } = await send(longString(LARGE));
    over.abort();
    await watching;
    expect([status, body.count, body.import?.rejected]).toEqual([200, 1, 1]);
    const p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]!;
    const growth = most.map((bytes, index) => bytes - before[index]!);
    const inMb = (bytes: number) => `${Math.round(bytes / MB)} MB`;
    recordFigures({
      'file, MB': Math.round(LARGE / MB),
      'gateway grew by, MB': Math.round(growth[0]! / MB),
      'worker grew by, MB': Math.round(growth[1]! / MB),
      'others, p95 ms': Math.round(p95),
    });
    process.stdout.write(
      `${inMb(LARGE)} string: ${Date.now() - began} ms; gateway +${inMb(growth[0]!)}, worker ` +
        `+${inMb(growth[1]!)}; GET /topics p95 ${Math.round(p95)} ms\n`,
    );
    expect(Math.max(...growth)).toBeLessThan(MAX_GROWTH);
  });
});

test('a workbook whose rows share one large text is imported in little memory', async () => {
  const rows = 200;
  const shared = `<si><t>${'x'.repeat(2_000_000)}</t></si>`;
  const cells = `<row><c t="s"><v>0</v></c></row>`.repeat(rows);
  const headings = rowOf(['language', 'topic', 'question', 'answer', 'incorrect_1']);
  const book = xlsxOf({ sheets: { Ark1: sheetOf(headings + cells) }, shared });
  expect(book.length).toBeLessThan(10_000);
  const before = await memoryOf(worker);
  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await memoryOf(worker));
      await sleep(20);
    }
  })();
  const { status, body } = await send(book);
  over.abort();
  await watching;
  expect([status, body.import?.rejected]).toEqual([200, rows]);
  recordFigures({ 'worker grew by, MB': Math.round((most - before) / MB) });
  process.stdout.write(`400 MB of one text: worker +${Math.round((most - before) / MB)} MB\n`);
  expect(most - before).toBeLessThan(3 * MAX_GROWTH);
});

async function* longString(size: number): AsyncGenerator<Buffer> {
  yield Buffer.from('[{"question":"');
  const part = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < size; sent += part.length) yield part;
  yield Buffer.from(`"},${row()}]`);
}

/** The resident memory of a process, in bytes. */
async function memoryOf({ pids: [pid] }: Child): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

describe('an upload', () => {
  /** Writes raw bytes to the gateway; returns the whole answer. */
  async function write(length: number, text: string, id: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('error', () => {});
    socket.end(
      'POST /api/v1/import/questions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n' +
        `authorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
        `idempotency-key: ${id}\r\ncontent-length: ${length}\r\n\r\n${text}`,
    );
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }
  const stateOf = async (id: string) => {
    const { rows } = await gateway.deps.db.query(
      'select state, refusal, removed_at is not null as removed from question_import where id = $1',
      [id],
    );
    return rows[0] as unknown;
  };

  test('that is broken off leaves nothing', async () => {
    const id = crypto.randomUUID();
    await write(5_000_000, `[${Array.from({ length: 10_000 }, () => row()).join(',')}`, id);
    await expect
      .poll(() => stateOf(id))
      .toEqual({
        state: 'refused',
        refusal: { reason: 'interrupted', row: null, byte: null },
        removed: true,
      });
    expect(await tracesOf(gateway.deps.db, id)).toEqual({ questions: 0, updates: 0, chunks: 0 });
  });

  test('that is longer than its Content-Length ends there', async () => {
    const id = crypto.randomUUID();
    expect(await write(10, `[${row()}]`, id)).toMatch(/^HTTP\/1\.1 400 /);
    // The bytes after that are not a valid request and end the connection, before or after they are read.
    await expect
      .poll(() => stateOf(id))
      .toMatchObject({
        state: 'refused',
        refusal: { reason: expect.stringMatching(/^(interrupted|cut_off)$/) },
        removed: true,
      });
    expect(await tracesOf(gateway.deps.db, id)).toEqual({ questions: 0, updates: 0, chunks: 0 });
    expect(await readFile(join(folder, 'gateway.log'), 'utf8')).not.toContain('unexpected error');
  });
});
