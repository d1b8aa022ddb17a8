import { describe, expect, test, vi } from 'vitest';
import { findInterruptedDeletions } from '@proveklar/services/accounts/account-deletion.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { mailAccountDeleted } from '@proveklar/services/mail-templates/account-deleted.ts';
import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';
import { withClaims } from '@proveklar/tests/support/identity.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';

const { gateway, query, learner } = withOwnAccounts();

describe('DELETE /account', () => {
  const stateOf = async (id: string) => {
    const [row] = await query(
      `select state, email, (select count(*)::int from quiz where account_id = $1) as quizzes,
         (select count(*)::int from limited_call where account_id = $1) as calls,
       (select count(*)::int from account_deletion where account_id = $1) as unconfirmed
       from account where id = $1`,
      id,
    );
    return row;
  };

  /** Runs the mail worker on all pending events. */
  async function mailAll() {
    const mails: OutgoingMail[] = [];
    const send = async (mail: OutgoingMail) => void mails.push(mail);
    const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
    const rows = await query(`select id, payload from outbox where name = 'account.deleted'`);
    const outcomes = [];
    for (const { id, payload } of rows) {
      const deps = { db: gateway.deps.db, mailer: { send }, addresses };
      outcomes.push(await mailAccountDeleted(deps, { id, payload }));
    }
    return { mails, outcomes };
  }

  test('deleting the own account removes rejected events that name the account', async () => {
    const user = await learner();
    const payloads = [{ account_id: user.id }, { to: user.email }, { account_id: null }];
    await query(
      `insert into rejected_event (event_id, name, queue, batch_id, payload, reason)
       select gen_random_uuid(), 'account.changed', 'live', gen_random_uuid(), payload, 'bad'
       from jsonb_array_elements($1::jsonb) as payload`,
      JSON.stringify(payloads),
    );
    expect((await user.call('DELETE', '/account')).status).toBe(200);
    expect(await query('select payload from rejected_event')).toEqual([{ payload: payloads[2] }]);
  });

  test('deleting the own account leaves a tombstone, refuses token and password, and is confirmed once', async () => {
    const user = await learner();
    await user.change({ language: 'en' });
    await user.call('POST', '/quiz/start', { topic: 'Historie' });
    expect(await user.call('DELETE', '/account')).toEqual({ status: 200, body: { ok: true } });
    expect((await user.call('GET', '/account')).body.code).toBe('account_disabled');
    await expect(gateway.identity.signInWithPassword(user.email, user.password)).rejects.toThrow(
      'INVALID_LOGIN_CREDENTIALS',
    );
    expect(await stateOf(user.id)).toMatchObject({
      state: 'deleted',
      quizzes: 0,
      calls: 0,
      unconfirmed: 1,
    });
    expect(await query('select * from audit_entry')).toEqual([]);

    // Again, with the token that is still valid: nothing is left to do.
    expect((await user.call('DELETE', '/account')).status).toBe(200);
    const { mails, outcomes } = await mailAll();
    expect(outcomes).toEqual(['sent']);
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your account has been deleted' }]);
    expect((await mailAll()).outcomes).toEqual(['not_needed']);
    const [{ found }] = await query(
      `select exists (select from account_deletion where email = $1)
         or exists (select from mail where email = $1)
         or exists (select from outbox where payload::text like '%' || $1 || '%') as found`,
      user.email,
    );
    expect(found).toBe(false);
  });

  test('an interrupted deletion is completed by repeating the call, or by the workers', async () => {
    const [patient, gone] = [await learner(), await learner()];
    const away = new AppError('identity_provider_failed');
    for (const { call } of [patient, gone]) {
      vi.spyOn(gateway.deps.identity, 'deleteUser').mockRejectedValueOnce(away);
      expect((await call('DELETE', '/account')).status).toBe(502);
    }
    expect((await patient.call('GET', '/account')).body.code).toBe('account_disabled');
    expect((await mailAll()).mails).toEqual([]);
    expect((await patient.call('DELETE', '/account')).status).toBe(200);

    const interrupted = async () => {
      await withTransaction(gateway.deps.db, findInterruptedDeletions);
      return query(`select payload from outbox where name = 'account.deletion_interrupted'`);
    };
    expect(await interrupted()).toEqual([]);
    await query(`update account_deletion set begun_at = begun_at - interval '1 hour'`);
    expect(await interrupted()).toEqual([{ payload: { account_id: gone.id } }]);
    await resumeDeletion(gateway.deps, gone.id);
    await resumeDeletion(gateway.deps, gone.id);
    expect(await gateway.identity.findUser(gone.email)).toBeUndefined();
    const { mails } = await mailAll();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([patient.email, gone.email].toSorted());
  });

  test('a deletion cancels an open registration only if the address is verified', async () => {
    const user = await learner();
    const registration = { email: user.email, username: 'Kari' };
    await gateway.call('POST', '/payment/create-registration-intent', { body: registration });
    await query(
      `update payment set state = 'cancelled', cancel_reason = 'abandoned', cancelled_at = now()
       where email = $1`,
      user.email,
    );
    const left = async () =>
      (await query(`select username from payment where email = $1`, user.email)).length;
    // Anyone can sign up with any address, and delete that account.
    expect((await user.call('DELETE', '/account')).status).toBe(200);
    expect(await left()).toBe(1);

    const owner = await gateway.identity.createPasswordUser(user.email);
    const token = withClaims(owner.idToken, { email_verified: true });
    expect((await gateway.call('DELETE', '/account', { token })).status).toBe(200);
    expect(await left()).toBe(0);
  });

  test('a deletion sends no mail to an unverified address that never paid', async () => {
    const { idToken, email, uid } = await gateway.identity.createPasswordUser();
    const remove = (token: string) => gateway.call('DELETE', '/account', { token });
    expect((await remove(idToken)).status).toBe(200);
    expect((await mailAll()).mails).toEqual([]);
    const left = `select from account_deletion join account on account.id = account_id where uid = $1`;
    expect(await query(left, uid)).toEqual([]);

    const again = await gateway.identity.createPasswordUser(email);
    await remove(withClaims(again.idToken, { email_verified: true }));
    expect((await mailAll()).mails).toMatchObject([{ to: email }]);
  });

  test('deleting the own account needs a sign-in of the last five minutes', async () => {
    const user = await learner();
    const at = (seconds: number) =>
      withClaims(user.token, { auth_time: Math.floor(Date.now() / 1000) - seconds });
    const late = await gateway.call('DELETE', '/account', { token: at(301) });
    expect([late.status, late.body.code]).toEqual([403, 'recent_sign_in_required']);
    expect((await user.call('GET', '/account')).status).toBe(200);
    expect((await gateway.call('DELETE', '/account', { token: at(290) })).status).toBe(200);
  });

  test('neither administrators nor disabled users can delete the own account', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const { idToken: token } = await gateway.identity.signInWithGoogle({ email });
    const refused = await gateway.call('DELETE', '/account', { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'cannot_delete_self']);
    expect((await gateway.call('GET', '/account', { token })).status).toBe(200);

    const user = await learner();
    await query(`update account set state = 'disabled' where id = $1`, user.id);
    const disabled = await user.call('DELETE', '/account');
    expect([disabled.status, disabled.body.code]).toEqual([401, 'account_disabled']);
    expect(await stateOf(user.id)).toMatchObject({ state: 'disabled', unconfirmed: 0 });
  });
});
