import Value from 'typebox/value';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { AccountExport } from '@proveklar/contract/account-export.ts';
import { forgetLimitedCalls } from '@proveklar/services/accounts/limited-calls.ts';
import { recordAction } from '@proveklar/services/audit/record-action.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { withClaims } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';
import { buyAccess } from '@proveklar/tests/support/pay.ts';

const { gateway, query, learner, called, retryAfterOf } = withOwnAccounts();

describe('GET /account/export', () => {
  describe('of a learner with data in every table', () => {
    async function busyLearner() {
      const user = await learner();
      await changeSettings(gateway.deps.db, 'admin@example.no', { seller_vat_registered: true });
      const paymentId = await buyAccess(gateway, user.token, { consent_version: 'no-2026-11' });
      const start = async (body: object) => (await user.call('POST', '/quiz/start', body)).body;
      const drill = await start({ topic: 'Historie', question_count: 5 });
      const [first] = drill.questions as { uuid: string; options: string[] }[];
      const answer = {
        question_id: first!.uuid,
        answer: first!.options[0],
        shown_ms: 12_400,
      };
      await user.call('POST', `/quiz/${drill.id}/answer`, answer);
      const report = { type: 'thumbs_down', comment: 'Uklart.' };
      await user.call('POST', `/questions/${first!.uuid}/feedback`, report);
      const quiet = await start({ topic: 'Historie', question_count: 5, instant_feedback: false });
      const asked = quiet.questions[0] as { uuid: string; options: string[] };
      await user.call('POST', `/quiz/${quiet.id}/answer`, {
        question_id: asked.uuid,
        answer: asked.options[0],
      });
      const test = await start({ topic: 'Praktisk prøve' });
      const ended = await start({ topic: 'Historie', question_count: 5 });
      await user.call('POST', `/quiz/${ended.id}/end`);
      await gateway.deps.db.query(
        `insert into mail (event_id, kind, account_id, language, claimed_until, sent_at)
         values (gen_random_uuid(), 'payment_confirmation', $1, 'no', now(), now())`,
        [user.id],
      );
      await user.call('PUT', '/account/news', { news: true, consent: 'news-no-2026-11' });
      await gateway.deps.db.query(
        `with written as (
           insert into message (kind, audience, texts, state, created_by, started_at)
           values ('news', 'all', '{"no": {"subject": "Nytt", "body": "Hei"}}', 'sending', 'x', now())
           returning id)
         insert into message_recipient (message_id, account_id, state) select id, $1, 'sent' from written`,
        [user.id],
      );
      return { ...user, paymentId, drill, quiet, test, ended, first: first! };
    }

    let user: Awaited<ReturnType<typeof busyLearner>>;
    beforeAll(async () => {
      user = await busyLearner();
    });

    test('an export holds everything, each under its name', async () => {
      const response = await gateway.app.inject({
        url: '/api/v1/account/export',
        headers: { authorization: `Bearer ${user.token}` },
      });
      expect(response.headers['content-disposition']).toMatch(
        /^attachment; filename="proveklar-\d{4}-\d\d-\d\d[.]json"$/,
      );
      const body: unknown = response.json();
      expect([...Value.Errors(AccountExport, body)]).toEqual([]);
      expect(body).toMatchObject({
        account: {
          email: user.email,
          language: 'no',
          email_verified: false,
          tokens_valid_after: null,
        },
        sign_in: { email: user.email, has_password: true },
        access: [{ given_for: 'grant' }, { given_for: 'payment', payment_id: user.paymentId }],
        payments: [
          {
            id: user.paymentId,
            amount_nok: '149.00',
            consent: { version: 'no-2026-11' },
            receipt: { amount_nok: '149.00', vat_nok: '29.80' },
          },
        ],
        reports: [{ uuid: user.first.uuid, comment: 'Uklart.' }],
        mails: [{ kind: 'payment_confirmation' }],
        messages: [{ kind: 'news', subject: 'Nytt', state: 'sent' }],
        news_consent: { version: 'news-no-2026-11', withdrawn_at: null },
        under_the_address: null,
      });
      const { quizzes } = body as AccountExport;
      expect(quizzes.map(({ id, state }) => [id, state])).toEqual([
        [user.ended.id, 'ended'],
        [user.test.id, 'open'],
        [user.quiet.id, 'open'],
        [user.drill.id, 'open'],
      ]);
    });

    test('an export does not reveal what an open quiz hides', async () => {
      const { body } = await user.call('GET', '/account/export');
      const of = (quiz: { id: string }) =>
        (body as AccountExport).quizzes.find(({ id }) => id === quiz.id)!.questions;
      const known = of(user.drill).filter(({ correct_answer }) => correct_answer !== null);
      expect(known.map(({ uuid }) => uuid)).toEqual([user.first.uuid]);
      for (const quiz of [user.quiet, user.test]) {
        for (const question of of(quiz)) {
          expect(question).toMatchObject({
            correct: null,
            correct_answer: null,
            explanation: null,
            counted: null,
          });
        }
      }
      expect(of(user.quiet)[0]!.own_answer).toEqual(expect.any(String));
      for (const question of of(user.ended)) {
        expect(question).toMatchObject({ correct: false, correct_answer: expect.any(String) });
      }
    });
  });

  test('an export holds how long questions were shown, what is remembered, and how ready the learner is', async () => {
    const { db } = gateway.deps;
    const user = await learner();
    const answerAll = async (topic: string) => {
      const start = { topic, question_count: 8 };
      const { body: quiz } = await user.call('POST', '/quiz/start', start);
      const asked = quiz.questions as { uuid: string; options: string[] }[];
      for (const { uuid, options } of asked) {
        const answer = { question_id: uuid, answer: options[0], shown_ms: 12_400 };
        await user.call('POST', `/quiz/${quiz.id}/answer`, answer);
      }
      await countEvents(db);
    };
    for (const topic of ['Helse', 'Lov', 'Natur', 'Skole']) {
      await createQuestions(db, { topic, count: 8 });
      await answerAll(topic);
    }
    const read = async () => (await user.call('GET', '/account/export')).body as AccountExport;
    expect((await read()).learning.readiness).toBeNull();
    await answerAll('Historie');
    const body = await read();
    expect([...Value.Errors(AccountExport, body)]).toEqual([]);
    const { readiness, questions } = body.learning;
    expect(readiness).toEqual((await user.call('GET', '/learning')).body.readiness);
    expect(readiness).toMatchObject({ answers: 40 });
    const [last] = body.quizzes[0]!.questions;
    expect(last).toMatchObject({ shown_ms: 12_400 });
    expect(questions.find(({ uuid }) => uuid === last!.uuid)).toMatchObject({
      first_correct: last!.correct,
    });
  });

  test('an export includes data stored under an address only for its owner', async () => {
    const user = await learner();
    const registration = { email: user.email, username: 'Kari' };
    await gateway.call('POST', '/payment/create-registration-intent', { body: registration });
    await gateway.call('POST', '/payment/search', { body: { email: user.email } });
    const token = withClaims(user.token, { email_verified: true });
    const { body } = await gateway.call('GET', '/account/export', { token });
    expect([...Value.Errors(AccountExport, body)]).toEqual([]);
    expect(body.under_the_address).toMatchObject({
      unfinished_registrations: [{ name: 'Kari', amount_nok: '149.00', receipt: null }],
      payment_searches: [{ searched_at: expect.any(String) }],
    });
    // The client address is not included: it may have been another person's.
    const [{ client_address: typedAt }] = await query(
      'select client_address from payment where email = $1',
      user.email,
    );
    expect(typedAt).toEqual(expect.any(String));
    expect(JSON.stringify(body)).not.toContain(typedAt);
  });

  test('an export says when address and sessions changed, and why an administrator acted', async () => {
    const user = await learner();
    const ended = new Date(Date.now() - 60 * 60 * 1000).toISOString();
    await query('update account set tokens_valid_after = $2 where id = $1', user.id, ended);
    await withTransaction(gateway.deps.db, async (tx) => {
      const details = { note: 'Delt med andre' };
      const entry = { actor: 'test', action: 'user.disabled', subject: user.email } as const;
      await recordAction(tx, { ...entry, details });
    });
    const token = withClaims(user.token, { email_verified: true });
    const { body } = await gateway.call('GET', '/account/export', { token });
    expect(body.account).toMatchObject({ email_verified: true, tokens_valid_after: ended });
    expect(body.under_the_address).toMatchObject({
      administration: [{ action: 'user.disabled', note: 'Delt med andre' }],
      withdrawal_remembered: null,
    });
  });

  test('an export says that a withdrawal of the address is remembered', async () => {
    const user = await learner();
    const paymentId = await buyAccess(gateway, user.token, { consent_version: 'no-2026-11' });
    const body = { refund_amount: 149_00 };
    const { status } = await user.call('POST', `/account/payments/${paymentId}/withdraw`, body);
    expect(status).toBe(200);
    const token = withClaims(user.token, { email_verified: true });
    const answer = await gateway.call('GET', '/account/export', { token });
    expect([...Value.Errors(AccountExport, answer.body)]).toEqual([]);
    const [{ created_at }] = await query(
      'select created_at from refund where payment_id = $1',
      paymentId,
    );
    expect(answer.body.under_the_address.withdrawal_remembered).toBe(created_at.toISOString());
  });

  test('exports are limited to five an hour, with Retry-After', async () => {
    const user = await learner();
    await called(user.id, 'export', { count: 4, minutes: 50 });
    const { body } = await user.call('GET', '/account/export');
    expect((body as AccountExport).limited_calls).toHaveLength(5);
    const wait = await retryAfterOf('/account/export', user.token);
    expect(wait).toBeGreaterThan(300);
    expect(wait).toBeLessThanOrEqual(600);
    expect((await user.change({ language: 'en' })).status).toBe(200);
    await called(user.id, 'export', { minutes: 61 });
    await withTransaction(gateway.deps.db, forgetLimitedCalls);
    const left = 'select from limited_call where account_id = $1';
    expect(await query(left, user.id)).toHaveLength(6);
  });

  test('one export runs at a time, and a finished or failed one does not block the next', async () => {
    const user = await learner();
    await called(user.id, 'export', { busyS: 400 });
    const wait = await retryAfterOf('/account/export', user.token);
    expect(wait).toBeGreaterThan(300);
    expect(wait).toBeLessThanOrEqual(400);
    await query('delete from limited_call where account_id = $1', user.id);

    const away = new AppError('identity_provider_failed');
    vi.spyOn(gateway.deps.identity, 'findByUid').mockRejectedValueOnce(away);
    expect((await user.call('GET', '/account/export')).status).toBe(502);
    const broken = await gateway.app.inject({
      url: '/api/v1/account/export',
      headers: { authorization: `Bearer ${user.token}` },
      payloadAsStream: true,
    });
    broken.stream().destroy();
    const busy = 'select from limited_call where account_id = $1 and busy_until > now()';
    await expect.poll(() => query(busy, user.id)).toEqual([]);

    // A client that leaves while the identity provider is called has not received a byte.
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<null>();
    vi.spyOn(gateway.deps.identity, 'findByUid').mockImplementationOnce(() => {
      asked.resolve();
      return answered.promise;
    });
    const leaving = new AbortController();
    const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
    const gone = fetch(`${url}/api/v1/account/export`, {
      headers: { authorization: `Bearer ${user.token}` },
      signal: leaving.signal,
    });
    await asked.promise;
    leaving.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => query(busy, user.id)).toEqual([]);
    answered.resolve(null);
    for (const _again of [1, 2]) {
      expect((await user.call('GET', '/account/export')).status).toBe(200);
    }
  });

  // A new table with account data must be added here, with its place in the export.
  test('every table that names an account is listed with its place in the export', async () => {
    const rows = await query(
      `select conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'account'::regclass
       union select 'learner_question' order by 1`,
    );
    const learning = ['learner_plan', 'learner_question'];
    const messages = ['message_recipient', 'news_consent'];
    const rest = ['limited_call', 'mail', ...messages, 'payment', 'quiz'];
    const exported = ['credit', 'feedback', ...learning, ...rest];
    // Deleted accounts cannot be exported.
    expect(rows.map(({ name }) => name)).toEqual(['account_deletion', ...exported]);
  });
});
