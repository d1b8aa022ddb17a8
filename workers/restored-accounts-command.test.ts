import { beforeEach, describe, expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';
import { alignRestoredAccounts } from './restored-accounts-command.ts';

// A backup brings an account back and not its user: as if the user alone had been deleted.
const { gateway, query, learner } = withOwnAccounts();

beforeEach(() => query(`update account set state = 'deleted'`));

const align = (options: { apply?: boolean; atMost?: number } = {}) =>
  alignRestoredAccounts(gateway.deps, { apply: false, atMost: null, ...options });

const stateOf = async (id: string) => {
  const [row] = await query(
    `select state, email like 'deleted-%@invalid' as nameless,
       (select count(*)::int from quiz where account_id = account.id) as quizzes
     from account where id = $1`,
    id,
  );
  return row;
};

describe('accounts that a backup has brought back', () => {
  test('are deleted or disabled as their users are by now, without a mail', async () => {
    const [gone, disabled, other] = [await learner(), await learner(), await learner()];
    for (const { call } of [gone, disabled, other]) {
      await call('POST', '/quiz/start', { topic: 'Historie' });
    }
    await gateway.deps.identity.deleteUser(gone.uid);
    await gateway.deps.identity.setDisabled(disabled.uid, true);

    const listed = await align();
    expect(listed.left).toBe(2);
    expect(listed.text).toContain(`gone      ${gone.uid}  ${gone.email}`);
    expect(listed.text).toContain(`disabled  ${disabled.uid}  ${disabled.email}`);
    expect(listed.text).toContain('Nothing was changed.');
    expect(await stateOf(gone.id)).toEqual({ state: 'active', nameless: false, quizzes: 1 });

    const applied = await align({ apply: true });
    expect(applied).toMatchObject({
      left: 0,
      text: expect.stringContaining('Deleted: 1. Disabled: 1.'),
    });
    expect(await stateOf(gone.id)).toEqual({ state: 'deleted', nameless: true, quizzes: 0 });
    expect(await stateOf(disabled.id)).toEqual({ state: 'disabled', nameless: false, quizzes: 1 });
    expect(await stateOf(other.id)).toEqual({ state: 'active', nameless: false, quizzes: 1 });
    expect((await disabled.call('GET', '/quiz/open')).status).toBe(401);
    expect((await align()).text).toContain('None is gone or disabled there.');
    const mails = await query(
      `select name from outbox where name in ('account.deleted', 'account.disabled')
         and payload ->> 'account_id' = any ($1)`,
      [gone.id, disabled.id],
    );
    expect(mails).toEqual([]);
  });

  test('are left alone when so many users are gone that the project is probably a wrong one', async () => {
    for (let n = 0; n < 21; n += 1) await createLearner(gateway.deps.db, { days: 0 });
    const refused = await align({ apply: true });
    expect(refused.left).toBe(21);
    expect(refused.text).toContain('repeat the command with --at-most 21');
    expect(await query(`select from account where state = 'active'`)).toHaveLength(21);
    expect(await align({ apply: true, atMost: 21 })).toMatchObject({ left: 0 });
    expect(await query(`select from account where state = 'active'`)).toEqual([]);
  });
});
