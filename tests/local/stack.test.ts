import { expect, it } from 'vitest';
import { useOwnStack } from '../support/stack.ts';

const stack = useOwnStack();

it('is ready, and serves the frontend', async () => {
  const { url } = stack.current;
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain('<html');
});

it('lets the seeded learner sign in', async () => {
  const { identity } = stack.current;
  const { idToken } = await identity.signInWithPassword('learner@example.no', 'proveklar-demo');
  expect(idToken).not.toBe('');
});

it('shows the mailbox', async () => {
  const page = await fetch(stack.current.mailboxUrl);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('mailbox')]);
});

it('restarts a killed worker', async () => {
  const killed = stack.current.pid('workers');
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => stack.current.pid('workers')).not.toBe(killed);
});

it('leaves no process and no open port when it is closed', async () => {
  const { pid, close, url, stripeUrl, mailboxUrl } = stack.current;
  const pids = [pid('gateway'), pid('workers')];
  await close();
  for (const gone of pids) expect(() => process.kill(gone, 0)).toThrow('ESRCH');
  for (const address of [url, stripeUrl, mailboxUrl]) {
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  }
});
