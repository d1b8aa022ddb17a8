import { parseArgs } from 'node:util';
import {
  environmentOfProcess,
  readConfig,
  ServiceConfig,
} from '@proveklar/services/config/config.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  type RegisteredEndpoint,
  registerEndpoint,
  WEBHOOK_PATH,
} from '@proveklar/services/payments/incoming/webhook-endpoint.ts';
import { API_VERSION, createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';

// `npm run webhook -- create [--url https://site.example.no]`: makes the webhook endpoint at Stripe and prints its
// secret. It exits with 1 when Stripe refuses, and with 2 when it is called wrongly.

const USAGE = 'Usage: npm run webhook -- create [--url https://<site>]\n';

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

/** What the command writes, and its exit code. */
interface Result {
  text: string;
  code: 0 | 1 | 2;
}

/** Runs the command with these arguments. */
export async function runWebhookCommand(
  args: string[],
  environment: Record<string, string | undefined>,
): Promise<Result> {
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { url: { type: 'string' } } });
  } catch (error) {
    return { text: `${reasonOf(error)}\n${USAGE}`, code: 2 };
  }
  const { values, positionals } = parsed;
  if (positionals.length !== 1 || positionals[0] !== 'create') return { text: USAGE, code: 2 };
  const { values: config } = readConfig(ServiceConfig, environment);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = config;
  const site = values.url ?? config.PUBLIC_URL;
  if (!secretKey) return { text: 'Set STRIPE_SECRET_KEY.\n', code: 2 };
  if (!site || !URL.canParse(site)) {
    return { text: 'Set PUBLIC_URL, or give --url https://<site>.\n', code: 2 };
  }
  if (!apiUrl && LOOPBACK.test(new URL(site).hostname)) return { text: localAdvice(site), code: 1 };
  const url = `${new URL(site).origin}${WEBHOOK_PATH}`;
  try {
    const stripe = createStripeClient({ secretKey, apiUrl });
    return { text: describe(url, await registerEndpoint(stripe, url)), code: 0 };
  } catch (error) {
    return { text: `Stripe did not register ${url}: ${reasonOf(error)}\n`, code: 1 };
  }
}

function describe(url: string, endpoint: RegisteredEndpoint): string {
  if (endpoint.outcome === 'created') {
    return (
      `Created ${endpoint.id} for ${url}, API version ${API_VERSION}.\n` +
      'Stripe shows its secret only now. Set it, and restart the gateway:\n\n' +
      `STRIPE_WEBHOOK_SECRET=${endpoint.secret}\n`
    );
  }
  const done =
    endpoint.outcome === 'completed' ? 'Added the missing events to' : 'Nothing to do for';
  const version =
    endpoint.apiVersion === API_VERSION
      ? ''
      : `Its API version is ${endpoint.apiVersion ?? "the account's default"}, ours ${API_VERSION}: only ids of events are used, so it works.\n`;
  return `${done} ${endpoint.id}, which exists for ${url}. Its secret stays as it is.\n${version}`;
}

/** Stripe calls no address of this machine. */
function localAdvice(site: string): string {
  return (
    `${site} is this machine, which Stripe cannot call. Let Stripe's own program fetch the events:\n\n` +
    `stripe listen --forward-to ${new URL(site).origin}${WEBHOOK_PATH}\n\n` +
    'It prints the secret for STRIPE_WEBHOOK_SECRET. Without it payments are settled too: by the page that waits for them, ' +
    'and within a minute by reconciliation.\n'
  );
}

if (import.meta.main) {
  const { text, code } = await runWebhookCommand(process.argv.slice(2), environmentOfProcess());
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
}
