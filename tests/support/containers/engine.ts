import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

// An engine answers in a few milliseconds; a host without one must not wait long.
const PING_TIMEOUT_MS = 250;

/**
 * Finds a Docker engine that answers.
 *
 * @returns its address, as in DOCKER_HOST. Where that is set, no other engine is looked for.
 */
export async function findEngine(env: Environment): Promise<string | undefined> {
  const address = env.DOCKER_HOST || usualSocket(env);
  return address && (await answers(address)) ? address : undefined;
}

/** Where Docker's engine, Docker Desktop and rootless engines listen: testcontainers looks there too. */
function usualSocket({ XDG_RUNTIME_DIR }: Environment): string | undefined {
  const sockets = [
    '/var/run/docker.sock',
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, 'docker.sock')] : []),
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
  ];
  const found = sockets.find((path) => existsSync(path));
  return found && `unix://${found}`;
}

function answers(address: string): Promise<boolean> {
  const url = URL.parse(address);
  if (!url) return Promise.resolve(false);
  const { protocol, hostname, port, pathname } = url;
  if (protocol !== 'unix:' && protocol !== 'tcp:' && protocol !== 'http:') {
    return Promise.resolve(false);
  }
  const place = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(PING_TIMEOUT_MS);
    const call = request({ ...place, path: '/_ping', signal }, (response) => {
      response.resume();
      // An engine that wants TLS answers 400: it runs, and testcontainers can use it.
      resolve(response.statusCode === 200 || response.statusCode === 400);
    });
    call.once('error', () => resolve(false)).end();
  });
}
