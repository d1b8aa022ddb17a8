import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** The options from `startGuarded`, as JSON in the first argument. */
export interface GuardOrder {
  command: string[];
  uid?: number;
  gid?: number;
  env: Record<string, string>;
  /** The signals to send, one after the other, some seconds apart, until the program ends. */
  stopSignals: NodeJS.Signals[];
  /** Folders to remove once the program has ended. */
  removeAfter: string[];
}

const SIGNAL_INTERVAL_MS = 4_000;

// Runs a third-party program (PostgreSQL, Redis), and stops it when the parent of this process closes the
// channel or ends.
const order = JSON.parse(process.argv[2] ?? '') as GuardOrder;
const [program = '', ...args] = order.command;
const { uid, gid, env } = order;
let stopping = false;
const child = spawn(program, args, { env, uid, gid, stdio: ['ignore', 'inherit', 'inherit'] });

// The parent may have ended already; then sending fails, which must not end the guard before its program.
child.once('spawn', () => process.send?.({ pid: child.pid }, () => {}));
child.once('error', (error) => {
  process.stderr.write(`${program}: ${error.message}\n`);
  end(1);
});
child.once('exit', (code, signal) => end(code ?? (signal ? 1 : 0)));

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
process.once('disconnect', stop);
// The parent may have ended before the listener was added.
if (!process.connected) stop();

function stop(): void {
  if (stopping) return;
  stopping = true;
  order.stopSignals.forEach((signal, index) => {
    setTimeout(() => child.kill(signal), index * SIGNAL_INTERVAL_MS);
  });
}

function end(code: number): never {
  for (const folder of order.removeAfter) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
