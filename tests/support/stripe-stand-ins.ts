import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startStripeStandIn, type StripeStandIn } from '@proveklar/stripe-stand-in/server.ts';

/** Starts Stripe stand-ins, each with its own webhook endpoint; all are stopped after the file's tests. */
export function useStripeStandIns(): {
  /** @returns the address of a stand-in that sends `webhookEvents` to `webhookUrl` */
  start: (webhookUrl: string, webhookEvents: string[]) => Promise<string>;
} {
  const running: { standIn: StripeStandIn; dataDir: string }[] = [];
  afterAll(async () => {
    for (const { standIn, dataDir } of running) {
      await standIn.close();
      await rm(dataDir, { recursive: true });
    }
  });
  return {
    async start(webhookUrl, webhookEvents) {
      const dataDir = await mkdtemp(join(tmpdir(), 'proveklar-stripe-'));
      const webhookSecret = 'whsec_test';
      const standIn = await startStripeStandIn({
        port: 0,
        dataDir,
        webhookSecret,
        webhookUrl,
        webhookEvents,
      });
      running.push({ standIn, dataDir });
      return standIn.url;
    },
  };
}
