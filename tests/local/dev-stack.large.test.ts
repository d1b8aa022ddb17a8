import { expect, it } from 'vitest';
import { startStack } from '../support/stack.ts';

const title = 'serves sources and the API on one address, and leaves no process when it is closed';

it(title, async () => {
  const stack = await startStack({ dev: true });
  const page = await (await fetch(`${stack.url}/login`)).text();
  expect(page).toContain('/@vite/client');
  const source = await fetch(`${stack.url}/src/main.tsx`);
  expect(source.headers.get('content-type')).toContain('javascript');
  // Polled, because a change of a gateway file during this test restarts the gateway.
  const answer = (path: string) => async () => (await fetch(`${stack.url}${path}`)).text();
  await expect.poll(answer('/api/v1/config')).toContain(`${stack.stripeUrl}/stripe.js`);
  await expect.poll(answer('/health/ready')).toContain('ok');

  const pids = [stack.pid('gateway'), stack.pid('workers')];
  await stack.close();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await expect(fetch(stack.url)).rejects.toThrow('fetch failed');
});
