import { AUDIT_ENTRY_ID } from '@proveklar/gateway/openapi/examples/audit.ts';
import {
  ADMIN_EMAIL,
  DEMO_EMAIL,
  QUESTIONS,
  QUIZ_ID,
} from '@proveklar/gateway/openapi/examples/values.ts';
import type { TestGateway } from '../gateway.ts';
import { addExampleQuestions, signIn, signInAdmin, type Call, type SetUps } from './set-up.ts';

const [{ uuid }] = QUESTIONS;

async function asAdmin(gateway: TestGateway): Promise<Call & { token: string }> {
  const { email, token } = await signInAdmin(gateway);
  return { token, real: { [ADMIN_EMAIL]: email } };
}

/** Exam profiles as in a new installation, whatever an earlier example has changed. */
async function withNewProfiles(gateway: TestGateway): Promise<Call> {
  await gateway.deps.db.query(
    `update exam_profile set minutes = 60, source_url = 'https://utrop.no/nyheter/nytt/333413',
       updated_at = null, updated_by = null
     where name = 'statsborger'`,
  );
  return asAdmin(gateway);
}

async function twoPrices(gateway: TestGateway): Promise<Call> {
  const call = await asAdmin(gateway);
  const { token } = call;
  for (const price of [199.5, 249]) {
    await gateway.call('PUT', '/admin/settings', { token, body: { price } });
  }
  const { body } = await gateway.call('GET', '/admin/audit', { token });
  return { ...call, real: { ...call.real, [AUDIT_ENTRY_ID]: body.entries[0].id as string } };
}

/** A learner has reported the first question. */
async function reported(gateway: TestGateway): Promise<Call & { token: string }> {
  await addExampleQuestions(gateway);
  const { token, email } = await signIn(gateway);
  const started = await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } });
  const body = {
    type: 'thumbs_down',
    reason: 'outdated',
    comment: 'Svaret er endret i ny lov.',
  };
  await gateway.call('POST', `/questions/${uuid}/feedback`, { token, body });
  const admin = await asAdmin(gateway);
  const real = { ...admin.real, [DEMO_EMAIL]: email, [QUIZ_ID]: started.body.id as string };
  return { ...admin, real };
}

async function questionId({ deps }: TestGateway): Promise<string> {
  const { rows } = await deps.db.query<{ id: number }>('select id from question where uuid = $1', [
    uuid,
  ]);
  return String(rows[0]!.id);
}

/** Four languages, as a migration inserts them. */
async function fourLanguages(gateway: TestGateway): Promise<Call> {
  await gateway.deps.db.query(`delete from language where code not in ('no', 'en', 'nn', 'pl')`);
  await gateway.deps.db.query(
    `update language set offered = code in ('no', 'en'), updated_at = null, updated_by = null`,
  );
  return asAdmin(gateway);
}

/** Settings, exam profiles, languages, feedback and the audit log. */
export const adminCurationSetUps: SetUps = {
  'readSettings.at_first': asAdmin,
  'changeSettings.price': asAdmin,
  'changeSettings.seller': asAdmin,

  'listExamProfiles.at_first': withNewProfiles,
  'changeExamProfile.longer': withNewProfiles,

  'listLanguages.four': fourLanguages,
  'offerLanguage.polish': fourLanguages,
  'offerLanguage.language_required': async (gateway) => ({
    ...(await fourLanguages(gateway)),
    path: { code: 'no' },
    body: { offered: false },
  }),

  'listFeedback.one': async (gateway) => {
    const call = await reported(gateway);
    return { ...call, query: { question_id: await questionId(gateway) } };
  },
  'listReportedQuestions.open': reported,
  'closeFeedback.fixed': reported,
  'closeFeedback.question_not_found': asAdmin,
  'reopenFeedback.taken_back': async (gateway) => {
    const call = await reported(gateway);
    const path = `/admin/feedback/questions/${uuid}/close`;
    await gateway.call('POST', path, { token: call.token, body: { state: 'fixed' } });
    return call;
  },
  'reopenFeedback.question_not_found': asAdmin,

  'listAudit.price': twoPrices,
};
