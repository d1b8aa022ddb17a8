import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say, sayOutput, sayWarnings } from './console.ts';
import { onInterrupt } from './on-interrupt.ts';
import { describeTakenPorts, type PortRequest } from './ports.ts';
import { clearLeftover } from './postgres/cluster.ts';
import { Stack } from './run-stack.ts';
import { unlockData, lockData } from './data-lock.ts';
import { LOOPBACK, stackSettings, type StackSettings } from './settings.ts';

// `npm start`: runs the whole product on one host, until it prints a banner. `npm run dev` (`--dev`) also
// watches the sources.
const STOP_TIMEOUT_MS = 10_000;

process.exitCode = await main().catch((error: unknown) => {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  return 1;
});

async function main(): Promise<number> {
  const settings = stackSettings(process.env, { dev: process.argv.includes('--dev') });
  const { dataDir, environment } = settings;
  const other = lockData(dataDir, environment.PUBLIC_URL);
  if (other) {
    say(
      `Prøveklar is already running: ${other.url} (process ${other.pid}). Stop it with Ctrl-C there.`,
    );
    return 1;
  }
  try {
    if (settings.starts.postgres) await clearLeftover(join(dataDir, 'postgres'));
    const taken = await takenPorts(settings);
    if (taken.length > 0) {
      say(taken.join('\n'));
      return 1;
    }
    rmSync(join(dataDir, 'logs'), { recursive: true, force: true });
    return await run(settings);
  } finally {
    unlockData(dataDir);
  }
}

async function run(settings: StackSettings): Promise<number> {
  const began = Date.now();
  const first = !existsSync(join(settings.dataDir, 'postgres'));
  say(`Prøveklar is starting${first ? ' for the first time' : ''}. Logs: .local/logs`);
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
  const print = settings.dev ? sayOutput : sayWarnings;
  const stack = new Stack(settings, {
    onReady: (part) => say(`  ${part} (${seconds()} s)`),
    onLine: (part, line) => print(part)(line),
    onRestart: say,
  });
  const interrupted = new Promise<'interrupted'>((resolve) => {
    onInterrupt(
      () => resolve('interrupted'),
      () => {
        stack.kill();
        process.exit(1);
      },
    );
  });
  try {
    const started = await Promise.race([stack.start(), interrupted, stack.broken]);
    if (started === undefined) {
      say(banner(settings, seconds()));
      const end = await Promise.race([interrupted, stack.broken]);
      if (end !== 'interrupted') throw new Error(end);
    } else if (started !== 'interrupted') {
      throw new Error(started);
    }
    say('\nStopping …');
    return 0;
  } finally {
    await stop(stack);
  }
}

async function stop(stack: Stack): Promise<void> {
  const late = sleep(STOP_TIMEOUT_MS, 'late', { ref: false });
  if ((await Promise.race([stack.close(), late])) === 'late') {
    say('Some processes did not stop in time; they are killed.');
    stack.kill();
  }
}

function takenPorts(settings: StackSettings): Promise<string[]> {
  const { starts, HOST, PORT, POSTGRES_PORT, IDENTITY_PORT, STRIPE_PORT } = settings;
  const { SMTP_PORT, MAILBOX_PORT, OPERATORS_PORT } = settings;
  const requests: (PortRequest & { host: string; needed: boolean })[] = [
    { port: PORT, purpose: 'web', variable: 'PORT', host: HOST, needed: true },
  ];
  const onLoopback = (port: number, purpose: string, variable: string, needed: boolean) =>
    requests.push({ port, purpose, variable, host: LOOPBACK, needed });
  onLoopback(POSTGRES_PORT, 'PostgreSQL', 'POSTGRES_PORT', starts.postgres);
  onLoopback(IDENTITY_PORT, 'identity emulator', 'IDENTITY_PORT', starts.identity);
  onLoopback(STRIPE_PORT, 'Stripe stand-in', 'STRIPE_PORT', starts.stripe);
  onLoopback(settings.GATEWAY_PORT, 'gateway', 'GATEWAY_PORT', settings.dev);
  onLoopback(SMTP_PORT, 'mail to the mailbox', 'SMTP_PORT', starts.mailbox);
  onLoopback(MAILBOX_PORT, 'mailbox page', 'MAILBOX_PORT', starts.mailbox);
  onLoopback(OPERATORS_PORT, "operators' page and metrics", 'OPERATORS_PORT', true);
  onLoopback(settings.GATEWAY_OPERATORS_PORT, "gateway's metrics", 'GATEWAY_OPERATORS_PORT', true);
  return describeTakenPorts(requests.filter((port) => port.needed));
}

/** The addresses and credentials to print when everything runs. */
function banner(settings: StackSettings, seconds: string): string {
  const { environment, starts } = settings;
  const lines: [string, string][] = [['Open', environment.PUBLIC_URL]];
  if (starts.identity) {
    lines.push(
      ['Admin', `${environment.ADMIN_EMAIL} (sign in with Google)`],
      ['Learner', 'learner@example.no, password proveklar-demo'],
    );
  }
  if (starts.stripe) {
    lines.push(
      ['Test card', '4242 4242 4242 4242, any future date, any CVC'],
      ['Declined', '4000 0000 0000 0002'],
    );
  }
  if (starts.mailbox) {
    lines.push(['Mailbox', `http://${LOOPBACK}:${settings.MAILBOX_PORT} (every mail ends here)`]);
  }
  lines.push(['Operators', `http://${LOOPBACK}:${settings.OPERATORS_PORT}`]);
  lines.push(['Data', '.local/ (kept; start over with: npm run reset)'], ['Stop', 'Ctrl-C']);
  const rows = lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`);
  return `\nPrøveklar is ready after ${seconds} s.\n\n${rows.join('\n')}\n`;
}
