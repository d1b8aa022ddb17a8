import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let idToken: string;
beforeEach(async () => {
  const { identity, deps } = gateway;
  ({ idToken } = await identity.signInWithGoogle({ email: deps.config.ADMIN_EMAIL }));
});

async function preview(payload: string | PassThrough): Promise<number> {
  const { statusCode } = await gateway.app.inject({
    method: 'POST',
    url: '/api/v1/import/preview',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    payload,
  });
  return statusCode;
}

/** Starts a preview whose file has not arrived completely. */
async function beginUpload() {
  const upload = new PassThrough();
  const status = preview(upload);
  upload.write('[');
  // Its body is read: nothing is left of what was written.
  await expect.poll(() => upload.readableLength).toBe(0);
  return { upload, status };
}

test('previews are read one after the other', async () => {
  const answered: string[] = [];
  const { upload, status } = await beginUpload();
  const first = status.then((code) => answered.push(`first ${code}`));
  // Alone, this one would take many times as long as the second.
  upload.end(`${' '.repeat(40 * 1024 * 1024)}]`);
  await expect.poll(() => upload.readableEnded).toBe(true);
  const second = preview('[]').then((code) => answered.push(`second ${code}`));
  await Promise.all([first, second]);
  expect(answered).toEqual(['first 200', 'second 200']);
});

test('a preview is answered while the file of another one arrives slowly', async () => {
  const { upload, status } = await beginUpload();
  expect(await preview('[]')).toBe(200);
  upload.end(']');
  expect(await status).toBe(200);
});

test('more previews than fit into memory are refused until one has ended', async () => {
  const uploads = await Promise.all(Array.from({ length: 6 }, beginUpload));
  expect(await preview('[]')).toBe(503);
  for (const { upload } of uploads) upload.end(']');
  expect(await Promise.all(uploads.map(({ status }) => status))).toEqual(Array(6).fill(200));
  expect(await preview('[]')).toBe(200);
});
