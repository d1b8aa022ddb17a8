import { beforeAll, expect, test, vi } from 'vitest';
import { deleteUser } from '@proveklar/services/accounts/delete-user.ts';
import { createExtensionIntent } from '@proveklar/services/payments/create-extension-intent.ts';
import { addDays, createAdministrator, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

async function payer() {
  const { deps } = gateway;
  const user = await gateway.identity.createPasswordUser();
  const id = await addDays(deps.db, user, 30);
  const by = await createAdministrator(deps.db);
  return {
    // Its request was let in before the account was closed.
    pay: () => createExtensionIntent(deps, { id, email: user.email, language: 'no' }),
    remove: () => deleteUser(deps, user.uid, by),
    payments: async () =>
      (await deps.db.query('select state, email from payment where account_id = $1', [id])).rows,
  };
}

test('a payment that a user begins while they are deleted is refused', async () => {
  const { pay, remove, payments } = await payer();
  const { identity } = gateway.deps;
  const deleteIdentity = identity.deleteUser.bind(identity);
  vi.spyOn(identity, 'deleteUser').mockImplementationOnce(async (uid) => {
    await expect(pay()).rejects.toMatchObject({ code: 'account_disabled' });
    await deleteIdentity(uid);
  });
  await remove();
  expect(await payments()).toEqual([]);
});
