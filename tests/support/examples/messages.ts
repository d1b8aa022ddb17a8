import {
  MESSAGE_ID,
  NEWS_STOP_TOKEN,
  NIGHT_WORK,
} from '@proveklar/gateway/openapi/examples/messages.ts';
import { ADMIN_EMAIL, DEMO_EMAIL } from '@proveklar/gateway/openapi/examples/values.ts';
import { createMessage } from '@proveklar/services/messages/messages.ts';
import { stopNewsToken } from '@proveklar/services/messages/news-consent.ts';
import { startMessage } from '@proveklar/services/messages/send-message.ts';
import type { TestGateway } from '../gateway.ts';
import { signIn, signInAdmin, type Call, type SetUps } from './set-up.ts';

async function asAdmin(gateway: TestGateway) {
  const { email, token } = await signInAdmin(gateway);
  return { token, email, real: { [ADMIN_EMAIL]: email } };
}

/** The draft of the examples. */
async function withDraft(gateway: TestGateway) {
  const call = await asAdmin(gateway);
  const { id } = await createMessage(gateway.deps.db, call.email, NIGHT_WORK);
  return { ...call, id, real: { ...call.real, [MESSAGE_ID]: id } };
}

/** The same, mailed to its writer. */
async function withTested(gateway: TestGateway) {
  const call = await withDraft(gateway);
  await gateway.deps.db.query('update message set tested_revision = revision');
  return call;
}

async function withSending(gateway: TestGateway) {
  const call = await withTested(gateway);
  await startMessage(gateway.deps.db, call.email, call.id);
  return call;
}

const unknown = async (gateway: TestGateway): Promise<Call> => ({
  ...(await withDraft(gateway)),
  path: { id: crypto.randomUUID() },
});

const AGREED = { news: true, consent: 'news-no-2026-11' };

const learner = async (gateway: TestGateway): Promise<Call> => {
  const { token, real } = await signIn(gateway);
  return { token, real };
};

/** As a mail program sends it. */
const oneClick = (token: string): Call => ({
  query: { token },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bytes: 'List-Unsubscribe=One-Click',
});

export const messagesSetUps: SetUps = {
  'listMessages.one': withDraft,
  'listMessages.older': withDraft,
  'createMessage.night_work': asAdmin,
  'countMessageAudience.all': asAdmin,

  'readMessage.draft': withDraft,
  'readMessage.not_found': unknown,

  'changeMessage.active': withDraft,
  'changeMessage.not_found': unknown,
  'changeMessage.message_changed': async (gateway) => ({
    ...(await withDraft(gateway)),
    body: { ...NIGHT_WORK, revision: 7 },
  }),
  'changeMessage.message_state': withSending,

  'deleteMessage.draft': withDraft,
  'deleteMessage.not_found': unknown,
  'deleteMessage.message_state': withSending,

  'previewMessage.norwegian': withDraft,
  'previewMessage.not_found': async (gateway) => ({
    ...(await withDraft(gateway)),
    query: { language: 'en' },
  }),

  'testMessage.draft': withDraft,
  'testMessage.not_found': unknown,
  'testMessage.message_state': withSending,

  'startMessage.tested': withTested,
  'startMessage.not_found': unknown,
  'startMessage.message_not_tested': withDraft,
  'startMessage.message_state': withSending,

  'stopMessage.sending': withSending,
  'stopMessage.not_found': unknown,
  'stopMessage.message_state': withDraft,

  'readNewsConsent.none': learner,
  'changeNewsConsent.agree': learner,
  'changeNewsConsent.withdraw': learner,
  'changeNewsConsent.consent_required': async (gateway) => ({
    ...(await learner(gateway)),
    body: { news: true },
  }),
  'changeNewsConsent.email_refused': async (gateway) => {
    const call = await learner(gateway);
    await gateway.deps.db.query(
      `insert into mail (event_id, kind, account_id, language, claimed_until, refused_at, refused_code)
       select gen_random_uuid(), 'payment_confirmation', id, 'no', now(), now() + interval '1 hour', 550
       from account where email = $1`,
      [call.real![DEMO_EMAIL]],
    );
    return { ...call, body: AGREED };
  },
  'stopNews.one_click': async (gateway) => {
    const call = await learner(gateway);
    await gateway.call('PUT', '/account/news', { token: call.token!, body: AGREED });
    const { rows } = await gateway.deps.db.query<{ id: string; key: Buffer }>(
      'select account_id as id, key from news_consent order by agreed_at desc limit 1',
    );
    return oneClick(stopNewsToken(rows[0]!.id, rows[0]!.key));
  },
  'stopNews.not_found': async () => oneClick(NEWS_STOP_TOKEN),
};
