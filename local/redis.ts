import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { startGuarded, type Child } from '#processes.ts';
import { untilReady } from '#until-ready.ts';

/** Whether a Redis server is installed on this host. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const SETTINGS = {
  bind: '127.0.0.1',
  save: '',
  appendonly: 'no',
  // BullMQ requires that keys are never evicted.
  'maxmemory-policy': 'noeviction',
};

/**
 * Starts the host's Redis, without persistence unless the settings enable it.
 *
 * @param settings of the server, such as `{ appendonly: 'yes', dir }`
 */
export async function startRedis(
  port: number,
  logFile: string,
  settings: Record<string, string> = {},
): Promise<Child> {
  const options = Object.entries({ ...SETTINGS, ...settings });
  const child = startGuarded({
    name: 'redis',
    command: [
      'redis-server',
      '--port',
      String(port),
      ...options.flatMap(([name, value]) => [`--${name}`, value]),
    ],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    logFile,
    stopSignals: ['SIGTERM', 'SIGKILL'],
    removeAfter: [],
  });
  await untilReady({ child, isReady: () => answers(port), logFile });
  return child;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
