import { LearningResponse } from '@proveklar/contract/learning.ts';
import {
  AnswerResponse,
  EndQuizResponse,
  HistoryResponse,
  OpenQuizzesResponse,
  ProgressResponse,
} from '@proveklar/contract/quiz.ts';
import type { ApiDocument, Operation } from '@proveklar/gateway/openapi/document.ts';
import { ROLES_OF } from '@proveklar/gateway/plugins/access.ts';
import { describe, expect, test } from 'vitest';
import { readApi } from '#support/examples/every-example.ts';
import { addQuestions } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';

// What a learner knows and plans is theirs. A route that shows it to support must check `support_access` of the
// learner's plan, and be tested here.

const { document, routes } = await readApi();

/** The names of all fields in a schema, and in those that it refers to. */
function fieldsOf(schema: unknown, api: ApiDocument, seen = new Set<string>()): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => fieldsOf(part, api, seen));
  if (typeof schema !== 'object' || schema === null) return [];
  const { $ref: reference, properties = {} } = schema as Record<string, unknown>;
  if (typeof reference === 'string') {
    if (seen.has(reference)) return [];
    seen.add(reference);
    return fieldsOf(api.components.schemas[reference.split('/').at(-1)!], api, seen);
  }
  return [
    ...Object.keys(properties as object),
    ...Object.values(schema).flatMap((part) => fieldsOf(part, api, seen)),
  ];
}

const answerFields = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values(content))
    .flatMap(({ schema }) => fieldsOf(schema, document));

/** Fields of learners' responses that say nothing about a learner where an administrator sees them. */
const COMMON = new Set(
  [
    'id total next_before completed_at days done',
    // Of the bank: `answers` are counted over all learners.
    'topic topics language questions answer explanation source_url source_title checked_at answers',
    // Why an option is wrong, why a question or a row needs a look.
    'reason reasons option',
    // Of a process.
    'kind started_at',
    // Of the exam's profile.
    'pass_mark',
    // A text in two languages.
    'no en',
    // How many, in the list of users: that they practise, not how well.
    'quizzes',
  ].flatMap((names) => names.split(' ')),
);

const progressFields = new Set(
  [
    LearningResponse,
    ProgressResponse,
    HistoryResponse,
    OpenQuizzesResponse,
    AnswerResponse,
    EndQuizResponse,
  ]
    .flatMap((schema) => fieldsOf(schema, document))
    // Keywords of JSON Schema, which are walked over too.
    .filter((name) => !COMMON.has(name) && !/^[~$]|^(type|properties|items|anyOf)$/.test(name)),
);

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const idsOf = (audience: 'learner' | 'portal') =>
  new Set(
    routes
      .filter(({ config }) =>
        audience === 'portal' ? ROLES_OF[config!.access!] : config?.access === audience,
      )
      .map(({ config }) => config?.docs?.operationId),
  );
const operationsOf = (audience: 'learner' | 'portal') => {
  const ids = idsOf(audience);
  return operations.filter(({ operationId }) => ids.has(operationId));
};

/** Fields of these names that a response of the portal may have. */
const OWN: Record<string, string[]> = {
  // The question of the bank that a row of a file repeats.
  listImportRows: ['known'],
  // Only with the learner's permission, which is tested below.
  readPerson: ['readiness', 'probability', 'low', 'high'],
};

describe("a learner's progress", () => {
  test('is found in the responses to learners by the names of its fields', () => {
    expect([...progressFields]).toEqual(
      expect.arrayContaining(['readiness', 'streak', 'known', 'weakest', 'score', 'exam_date']),
    );
    const shown = operationsOf('learner').filter((operation) =>
      answerFields(operation).some((name) => progressFields.has(name)),
    );
    expect(shown.length).toBeGreaterThan(5);
  });

  test.each(
    operationsOf('portal').map((operation) => [operation.operationId!, operation] as const),
  )('is in no response of %s', (id, operation) => {
    const own = OWN[id] ?? [];
    const shown = answerFields(operation).filter((name) => progressFields.has(name));
    expect([...new Set(shown)]).toEqual(own);
  });
});

describe("a learner's quiz", () => {
  const gateway = useTestGateway();

  test.each([false, true])(
    'is not found by an administrator (the learner lets support see progress: %s)',
    async (support_access) => {
      const row = { language: 'no', topic: 'Lov', answer: 'a', incorrect: ['b', 'c'] };
      await addQuestions(gateway.deps.db, [{ ...row, question: `Hva? ${support_access}` }], 'test');
      const { idToken: token } = await gateway.identity.createPasswordUser();
      await gateway.call('PUT', '/learning', { token, body: { support_access } });
      const { body: quiz } = await gateway.call('POST', '/quiz/start', {
        token,
        body: { topic: 'Lov' },
      });
      const email = gateway.deps.config.ADMIN_EMAIL;
      const { idToken: admin } = await gateway.identity.signInWithGoogle({ email });
      for (const path of [`/quiz/${quiz.id}`, `/questions?quiz_id=${quiz.id}`]) {
        expect(await gateway.call('GET', path, { token: admin }), path).toMatchObject({
          status: 404,
          body: { code: 'quiz_not_found' },
        });
      }
    },
  );
});

describe("a learner's readiness", () => {
  const gateway = useTestGateway();

  test('is shown to support only while the learner allows it', async () => {
    const { db, config } = gateway.deps;
    const { idToken: token, uid } = await gateway.identity.createPasswordUser();
    await gateway.call('GET', '/account', { token });
    const topics = Array.from({ length: 6 }, (_, n) => `Tema ${n}`);
    const rows = topics.flatMap((topic) =>
      Array.from({ length: 8 }, (_, n) => ({
        language: 'no',
        topic,
        question: `${topic} ${n}?`,
        answer: 'a',
        incorrect: ['b', 'c'],
      })),
    );
    await addQuestions(db, rows, 'test');
    await db.query(
      `insert into learner_question (account_id, question_id, times_shown, times_right, first_correct,
         last_correct, last_answered_at, stability, difficulty, due_on)
       select account.id, question.id, 1, 1, true, true, now(), 10, 5, current_date
       from account, question where uid = $1 and topic like 'Tema %'`,
      [uid],
    );
    const email = config.ADMIN_EMAIL;
    const { idToken: admin } = await gateway.identity.signInWithGoogle({ email });
    const read = async () =>
      (await gateway.call('GET', `/admin/users/${uid}`, { token: admin })).body;
    expect(await read()).toMatchObject({ shares_progress: false, readiness: null });
    await gateway.call('PUT', '/learning', { token, body: { support_access: true } });
    expect(await read()).toMatchObject({
      shares_progress: true,
      readiness: { probability: expect.any(Number), low: expect.any(Number) },
    });
    await gateway.call('PUT', '/learning', { token, body: { support_access: false } });
    expect(await read()).toMatchObject({ shares_progress: false, readiness: null });
  });
});
