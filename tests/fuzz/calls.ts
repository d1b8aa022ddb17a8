import fc from 'fast-check';
import type { FastifyContextConfig, RouteOptions } from 'fastify';
import type { ApiDocument, Operation } from '@proveklar/gateway/openapi/document.ts';

// Over 400 lines: this one file draws calls from a schema, whether valid, at a boundary or invalid.

/** Who may call a route, by its `config.access`. */
export type Access = NonNullable<FastifyContextConfig['access']>;

/** An operation of the API document, with the access of its route. */
export interface FuzzedOperation {
  operationId: string;
  method: string;
  /** With `{name}` for each path parameter. */
  url: string;
  access: Access;
  /** Whether the body is validated before the account is checked. */
  checkedLate: boolean;
  operation: Operation;
}

/** A request; the token is added for the role that sends it. */
export interface Draft {
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** The operations of the document that this gateway serves. */
export function operationsOf(
  document: ApiDocument,
  routes: readonly RouteOptions[],
): FuzzedOperation[] {
  const byId = new Map(routes.map(({ config }) => [config?.docs?.operationId, config]));
  return Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId = '' } = operation;
      const config = byId.get(operationId);
      if (!config?.access) throw new Error(`No route is documented as ${operationId}`);
      const checkedLate = config.accountCheckedByService ?? false;
      return { operationId, method, url, access: config.access, checkedLate, operation };
    }),
  );
}

export function urlOf({ url }: FuzzedOperation, { path, query }: Draft): string {
  const filled = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const pairs = Object.entries(query).map((pair) => pair.join('='));
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

/** Values seen in answers and requests, by the name of their field. */
export class KnownValues {
  readonly #byName = new Map<string, unknown[]>();

  /** Remembers the ids and texts in a value read from JSON; the newest 40 of each name. */
  harvest(value: unknown, name = '', depth = 0): void {
    if (depth > 6) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 5)) this.harvest(item, name, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) this.harvest(item, key, depth + 1);
    } else if (name !== '' && (typeof value === 'string' || typeof value === 'number')) {
      const known = this.#byName.get(name) ?? [];
      if (!known.includes(value)) this.#byName.set(name, [...known.slice(-39), value]);
    }
  }

  /** A value seen under this name, or under a name with the same ending: `question_id` for `question`. */
  pick(name: string, drawn: number): unknown {
    const own = this.#byName.get(name) ?? this.#byName.get(`${name}_id`) ?? [];
    return own.length > 0 ? own[drawn % own.length] : undefined;
  }
}

type Schema = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
};

/** Draws a valid value of the schema; where values are known for a field's name, often one of those. */
function valid(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const made = byType(schema, known, name);
  const isScalar = !['object', 'array', 'boolean', 'null'].includes(String(schema.type));
  if (!isScalar || schema.anyOf || schema.enum || 'const' in schema) return made;
  return fc
    .tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: 9 }), made)
    .map(([drawn, dice, own]) => (dice < 6 ? (known.pick(name, drawn) ?? own) : own));
}

function byType(schema: Schema, known: KnownValues, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, known, name)));
  switch (String(schema.type)) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number': {
      const min = Number(schema.minimum ?? -(2 ** 31));
      const max = Number(schema.maximum ?? 2 ** 31);
      const inside = schema.type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max });
      return fc.oneof(fc.constantFrom(min, max), inside);
    }
    case 'array': {
      const minLength = Number(schema.minItems ?? 0);
      const maxLength = Math.min(Number(schema.maxItems ?? 6), Math.max(6, minLength));
      return fc.array(valid(schema.items ?? {}, known, name), { minLength, maxLength });
    }
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).map(
        ([key, one]) => [key, valid(one, known, key)] as const,
      );
      const requiredKeys = schema.required ?? [];
      return fc.record(Object.fromEntries(properties), { requiredKeys: requiredKeys as never[] });
    }
    case 'string':
      return text(schema);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.nat({ max: 1e9 }).map((number) => `fuzz-${number}@example.no`),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
};

function text(schema: Schema): fc.Arbitrary<string> {
  const format = FORMATS[String(schema.format)];
  if (format) return format;
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Number(schema.maxLength ?? 1_000);
  if (typeof schema.pattern === 'string' && !schema.pattern.includes('(?')) {
    return fc
      .stringMatching(new RegExp(schema.pattern))
      .map((drawn) => drawn.padEnd(minLength, 'x').slice(0, maxLength));
  }
  const longest = fc.constantFrom('x'.repeat(maxLength), 'æ'.repeat(maxLength));
  return fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: minLength + 20 }) },
    { weight: 1, arbitrary: longest },
  );
}

const nested = (depth: number, open: string, close: string) =>
  open.repeat(depth) + close.repeat(depth);

/** Texts that are known to break software. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00a',
  '\u202Eabc',
  '\uFEFF',
  '﷽'.repeat(50),
  'İıſß',
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(300),
  'x'.repeat(20_000),
  "' or 1=1; --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  '%',
  '%00%ff',
  '_\\%_',
  '=cmd()',
  'null',
  'undefined',
  'NaN',
  '1e309',
  '-0',
  '0x10',
  '9223372036854775808',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
  '2026-02-30',
  '0000-00-00',
  '0000-01-01',
  '9999-12-31',
  '2016-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  'a@b',
  '"a b"@example.no',
  'pi_x',
];
const HOSTILE_NUMBERS = [0, -0, -1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, -1e308];

/** Bad values for any place of a body. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS, ...HOSTILE_NUMBERS, null, true, [], {}, [[]], [null]),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** A value with one mutation: a field removed, added or replaced, or the whole value. */
function mutated(value: unknown, [where, how, bad]: [number, number, unknown]): unknown {
  if (typeof value !== 'object' || value === null) return bad;
  if (Array.isArray(value)) {
    if (value.length === 0 || how === 0) return bad;
    if (how === 1) return Array.from({ length: 1_500 }, () => value[0] as unknown);
    return value.with(
      where % value.length,
      mutated(value[where % value.length], [where, how, bad]),
    );
  }
  const fields = Object.entries(value);
  const field = fields[where % Math.max(1, fields.length)];
  if (!field || how === 1) return { ...value, unknown_field: bad };
  const [key, inner] = field;
  if (how === 0) return Object.fromEntries(fields.filter(([name]) => name !== key));
  // A text that is invalid only at its end gets further than one that is invalid from the start.
  if (typeof inner === 'string' && how === 2) {
    return { ...value, [key]: `${inner}${typeof bad === 'string' ? bad : '\0'}` };
  }
  const isDeep = typeof inner === 'object' && inner !== null && how > 3;
  return { ...value, [key]: isDeep ? mutated(inner, [where >> 3, how, bad]) : bad };
}

const mutation = fc.tuple(fc.nat({ max: 1_000 }), fc.nat({ max: 6 }), hostile);

const BROKEN_BODIES = [
  '',
  '{',
  '{}}',
  '{"a":1,}',
  "{'a':1}",
  'null',
  'true',
  '[]',
  '"text"',
  '1e999',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '\uFEFF{}',
  `{"a":${nested(5_000, '[', ']')}}`,
  `{"a":${nested(120, '{"a":', '}').replace('}', '1}')}}`,
];
const JSON_TYPE = 'application/json';
const CONTENT_TYPES = [
  'text/plain',
  'text/csv',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'json',
  ';',
  '*/*',
];

interface Body {
  type?: string;
  text?: string | Buffer;
}

/** Draws a body for an operation: most are valid or nearly valid. */
function bodies({ operation, method }: FuzzedOperation, known: KnownValues): fc.Arbitrary<Body> {
  const rubbish = fc.oneof(
    fc.constantFrom(...BROKEN_BODIES).map((text) => ({ type: JSON_TYPE, text })),
    fc.constantFrom(...CONTENT_TYPES).map((type) => ({ type, text: '{"a":1}' })),
    hostile.map((value) => ({ type: JSON_TYPE, text: JSON.stringify(value) })),
    fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => ({ type: JSON_TYPE, text: Buffer.from(bytes) })),
    fc.constant({}),
  );
  const large = fc.constant({ type: JSON_TYPE, text: JSON.stringify('x'.repeat(1_100_000)) });
  const content = Object.entries(operation.requestBody?.content ?? {});
  if (content.length === 0) {
    if (method === 'get') return fc.constant({});
    return fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: rubbish });
  }
  const documented = content.map(([type, { schema, examples = {} }]) => {
    const written = Object.values(examples).map(({ value }) => value);
    const values = valid((schema ?? {}) as Schema, known);
    const good = written.length > 0 ? fc.oneof(values, fc.constantFrom(...written)) : values;
    const asText = (value: unknown) =>
      typeof value === 'string' && !type.endsWith('json') ? value : JSON.stringify(value);
    return fc.oneof(
      { weight: 5, arbitrary: good.map((value) => ({ type, text: asText(value) })) },
      {
        weight: 5,
        arbitrary: fc
          .tuple(good, mutation)
          .map(([value, how]) => ({ type, text: asText(mutated(value, how)) })),
      },
    );
  });
  return fc.oneof(
    { weight: 70, arbitrary: fc.oneof(...documented) },
    { weight: 29, arbitrary: rubbish },
    { weight: 1, arbitrary: large },
  );
}

/** Headers that no operation declares, but that some part of a server reads. */
const odd: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { accept: 'image/png', 'accept-language': 'x'.repeat(2_000) },
  { 'accept-encoding': 'gzip;q=0, *;q=0' },
  { 'accept-encoding': 'br, zstd, x' },
  { 'if-none-match': '*', 'if-modified-since': 'never' },
  { range: 'bytes=0-1,5-9' },
  { cookie: `lng=${'%'.repeat(40)}; __proto__=1; =; a` },
  { 'x-forwarded-for': "1.2.3.4, ' or 1=1", forwarded: 'for=x' },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/api/v1/admin/users' },
  { origin: 'null', referer: 'x', 'sec-fetch-site': 'cross-site' },
  { traceparent: '00-ff-ff-ff', tracestate: '=' },
  { expect: 'rubbish' },
  { prefer: 'wait=-1, respond-async; x="' },
  { 'content-encoding': 'gzip' },
  { host: 'example.com:99999' },
);
const TOO_LARGE = { 'x-large': 'x'.repeat(20_000) };

/** A lone surrogate cannot be encoded as UTF-8: it is sent as the bytes that it would have. */
const encoded = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';

/** Draws requests for an operation, from the document. */
export function drafts(operation: FuzzedOperation, known: KnownValues): fc.Arbitrary<Draft> {
  const parameters = operation.operation.parameters ?? [];
  const values = (place: string): fc.Arbitrary<Record<string, string>> => {
    const named = parameters.filter((parameter) => parameter.in === place);
    const record = (wrong: number) =>
      fc.record(
        Object.fromEntries(
          named.map(({ name, schema, required }) => {
            const one = fc.oneof(
              { weight: 8, arbitrary: valid((schema ?? {}) as Schema, known, name).map(String) },
              { weight: 2 * wrong, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
              { weight: wrong, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
            );
            if (required || place === 'path') return [name, one];
            const left = { weight: 2, arbitrary: fc.constant(undefined) };
            return [name, fc.oneof({ weight: 1, arbitrary: one }, left)];
          }),
        ),
      );
    return fc
      .oneof({ weight: 6, arbitrary: record(0) }, { weight: 4, arbitrary: record(1) })
      .map((drawn) =>
        Object.fromEntries(
          Object.entries(drawn).filter((pair): pair is [string, string] => pair[1] !== undefined),
        ),
      );
  };
  const unknownQuery = fc.constantFrom<Record<string, string>>(
    {},
    {},
    {},
    {},
    { unknown: 'x' },
    { '%00': '%00' },
    { '__proto__[x]': '1' },
    { '%ZZ': '%' },
  );
  return fc
    .record({
      path: values('path'),
      query: values('query'),
      unknownQuery,
      headers: values('header'),
      odd: fc.oneof(
        { weight: 85, arbitrary: fc.constant<Record<string, string>>({}) },
        { weight: 14, arbitrary: odd },
        { weight: 1, arbitrary: fc.constant(TOO_LARGE) },
      ),
      body: bodies(operation, known),
    })
    .map(({ path, query, unknownQuery: unknown, headers, odd: others, body }) => ({
      // An empty parameter would make it the path of another operation.
      path: mapValues(path, (value) => encoded(value) || '%20'),
      query: { ...mapValues(query, encoded), ...unknown },
      headers: sendable({ ...headers, ...others, ...(body.type && { 'content-type': body.type }) }),
      ...(body.text !== undefined && { body: body.text }),
    }));
}

/**
 * Draws mutations of a valid request, or the request itself.
 *
 * @param others requests of the same operation, to take parts from
 */
export function mutations(request: Draft, others: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  return fc.tuple(others, mutation, fc.nat({ max: 9 })).map(([other, how, dice]) => {
    if (dice < 3) return request;
    if (dice === 3) return { ...request, query: { ...request.query, ...other.query } };
    if (dice === 4) return { ...request, path: { ...request.path, ...other.path } };
    if (dice === 5) return { ...request, headers: { ...request.headers, ...other.headers } };
    if (typeof request.body !== 'string') return { ...other, path: request.path };
    try {
      return { ...request, body: JSON.stringify(mutated(JSON.parse(request.body), how)) };
    } catch {
      return { ...request, body: request.body.slice(0, how[0]) };
    }
  });
}

/** The request with one value replaced: each of its parameters, and each place of its body, by each hostile value. */
export function* hostileVariants(operation: FuzzedOperation, draft: Draft): Generator<Draft> {
  for (const { in: place, name } of operation.operation.parameters ?? []) {
    if (place !== 'path' && place !== 'query') continue;
    for (const bad of HOSTILE_TEXTS) {
      yield { ...draft, [place]: { ...draft[place], [name]: encoded(bad) || '%20' } };
    }
  }
  if (typeof draft.body !== 'string' || !draft.headers['content-type']?.endsWith('json')) return;
  const [content] = Object.values(operation.operation.requestBody?.content ?? {});
  const { properties = {} } = (content?.schema ?? {}) as Schema;
  const body = JSON.parse(draft.body) as object;
  for (const worse of withEachReplaced(body)) yield { ...draft, body: JSON.stringify(worse) };
  for (const name of Object.keys(properties).filter((one) => !(one in body))) {
    for (const bad of withEachReplaced(null)) {
      yield { ...draft, body: JSON.stringify({ ...body, [name]: bad }) };
    }
  }
}

function* withEachReplaced(value: unknown): Generator {
  yield* [...HOSTILE_TEXTS, ...HOSTILE_NUMBERS, null, true, [], {}, [null]];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const bad of withEachReplaced(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), bad) : { ...value, [key]: bad };
    }
  }
}

/** The same request with one part removed, to find the smallest one that still fails. */
export function* smaller(draft: Draft): Generator<Draft> {
  const { body, ...bodiless } = draft;
  if (body !== undefined) yield bodiless;
  for (const part of ['query', 'headers'] as const) {
    for (const name of Object.keys(draft[part])) {
      const { [name]: _left, ...others } = draft[part];
      yield { ...draft, [part]: others };
    }
  }
  if (typeof body !== 'string' || body.length > 50_000) return;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    yield { ...draft, body: body.slice(0, body.length / 2) };
    return;
  }
  for (const less of withLess(value)) yield { ...draft, body: JSON.stringify(less) };
}

function* withLess(value: unknown): Generator {
  if (typeof value === 'string' && value.length > 8) yield value.slice(0, value.length / 2);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const others = Object.entries(value).filter(([name]) => name !== key);
    yield Array.isArray(value)
      ? others.map(([, item]) => item as unknown)
      : Object.fromEntries(others);
    for (const less of withLess(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), less) : { ...value, [key]: less };
    }
  }
}

/** Removes headers that an HTTP client refuses to send, or that would change the method or length. */
function sendable(headers: Record<string, string>): Record<string, string> {
  return mapValues(headers, (value) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim());
}

function mapValues(
  record: Record<string, string>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
