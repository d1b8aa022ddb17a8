import { expect, test } from 'vitest';
import { deleteUser } from '@proveklar/services/accounts/delete-user.ts';
import { createExtensionIntent } from '@proveklar/services/payments/create-extension-intent.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

test('a payment that a user begins while they are deleted is cancelled, and has no address', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const user = await gateway.identity.createPasswordUser();
  const id = await addDays(deps.db, user, 30);
  const identity = {
    ...deps.identity,
    deleteUser: async (uid: string) => {
      // Its request was let in before the account was closed.
      await createExtensionIntent(deps, { id, email: user.email, language: 'no' });
      await deps.identity.deleteUser(uid);
    },
  };
  const by = { uid: 'admin', email: 'admin@example.no' };
  await deleteUser({ ...deps, identity }, user.uid, by);
  const { rows } = await deps.db.query(
    'select state, email, username from payment where account_id = $1',
    [id],
  );
  expect(rows).toEqual([{ state: 'cancelled', email: null, username: null }]);
});
