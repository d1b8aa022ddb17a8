import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

test('previews are read one after the other, and other calls are answered meanwhile', async () => {
  const { app, identity, deps } = gateway;
  const { idToken } = await identity.signInWithGoogle({ email: deps.config.ADMIN_EMAIL });
  const answered: string[] = [];
  const preview = async (name: string, payload: string | PassThrough) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/v1/import/preview',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      payload,
    });
    answered.push(`${name} ${statusCode}`);
  };

  const upload = new PassThrough();
  const first = preview('first', upload);
  upload.write('[');
  // Its body is read: nothing is left of what was written.
  await expect.poll(() => upload.readableLength).toBe(0);
  await gateway.call('GET', '/admin/imports', { token: idToken });
  const second = preview('second', '[]');
  // Each of these takes as long as the second preview alone would.
  for (let calls = 0; calls < 20; calls += 1) {
    expect((await gateway.call('GET', '/admin/imports', { token: idToken })).status).toBe(200);
  }
  expect(answered).toEqual([]);
  upload.end(']');
  await Promise.all([first, second]);
  expect(answered).toEqual(['first 200', 'second 200']);
});
