import { applyRelease, withBankLock } from '@proveklar/services/bank-releases/apply-release.ts';
import { readRelease } from '@proveklar/services/bank-releases/read-release.ts';
import { FINGERPRINT, RELEASE_ID } from '@proveklar/gateway/openapi/examples/bank-releases.ts';
import { ADMIN_EMAIL } from '@proveklar/gateway/openapi/examples/values.ts';
import type { TestGateway } from '../gateway.ts';
import { type Call, signInAdmin, type SetUps } from './set-up.ts';

/** An administrator, and a bank to which no release was applied. */
async function before(gateway: TestGateway): Promise<Call> {
  const { db } = gateway.deps;
  // The API fuzzer runs this beside the rows of earlier calls.
  await db.query(`update bank_release_work set state = 'completed', ended_at = now()
                  where state = 'running'`);
  const { email, token } = await signInAdmin(gateway);
  return { token, real: { [ADMIN_EMAIL]: email } };
}

async function applied(gateway: TestGateway): Promise<Call> {
  const { db, config } = gateway.deps;
  const call = await before(gateway);
  await db.query('delete from bank_question');
  await db.query('update question set translation_group = null');
  const { questions } = await readRelease(config.BANK_DIR);
  const done = await withBankLock(db, () => applyRelease(db, questions), { wait: true });
  return { ...call, real: { ...call.real, [RELEASE_ID]: done!.release! } };
}

async function running(gateway: TestGateway): Promise<Call> {
  const call = await before(gateway);
  const body = { release: FINGERPRINT };
  await gateway.call('POST', '/admin/bank-releases', { token: call.token!, body });
  return call;
}

export const bankReleasesSetUps: SetUps = {
  'listBankReleases.one': applied,
  'planBankRelease.added': before,
  'applyBankRelease.requested': before,
  'applyBankRelease.bank_release_changed': async (gateway) => ({
    ...(await before(gateway)),
    body: { release: '0'.repeat(64) },
  }),
  'applyBankRelease.bank_release_running': running,
  'undoBankRelease.requested': applied,
  'undoBankRelease.bank_release_not_found': before,
  'undoBankRelease.bank_release_not_latest': async (gateway) => {
    const call = await applied(gateway);
    await gateway.deps.db.query(
      `insert into bank_release (applied_by, applied_at) values ('bank', now() + interval '1 day')`,
    );
    return call;
  },
  'undoBankRelease.bank_release_running': async (gateway) => {
    const call = await applied(gateway);
    await gateway.call('POST', '/admin/bank-releases', {
      token: call.token!,
      body: { release: FINGERPRINT },
    });
    return call;
  },
};
