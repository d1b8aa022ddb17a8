import { expect, it } from 'vitest';
import { useOwnStack, startStack } from '../support/stack.ts';

const stack = useOwnStack();

it('answers, and serves the frontend', async () => {
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

it('starts a worker again that was killed', async () => {
  const killed = stack.current.pid('workers');
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => stack.current.pid('workers'), { timeout: 10_000 }).not.toBe(killed);
});

it('leaves no process and no port when it is closed', async () => {
  const other = await startStack();
  const pids = [other.pid('gateway'), other.pid('workers')];
  await other.close();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await expect(fetch(other.url)).rejects.toThrow('fetch failed');
  await expect(fetch(other.stripeUrl)).rejects.toThrow('fetch failed');
  await expect(fetch(other.mailboxUrl)).rejects.toThrow('fetch failed');
});
