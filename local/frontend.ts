import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrontendOrder } from './dev/frontend-server.ts';
import { type Child, runToEnd, startNode } from './processes.ts';
import { PROJECT_DIR } from './settings.ts';
import { answersOk, reachable, untilReady } from './until-ready.ts';

export const FRONTEND = join(PROJECT_DIR, 'frontend');
export const FRONTEND_DIST = join(FRONTEND, 'dist');
const MARKER = join(FRONTEND_DIST, '.built-from');
// The inputs of the build. The lockfile covers changed versions of dependencies.
const SOURCES = ['frontend/**', 'contract/**', 'package-lock.json'];
const NOT_SOURCES = ['**/node_modules/**', '**/dist/**', '**/*.test.{ts,tsx}'];

/** Whether the built frontend is up to date with its sources. */
export function isFrontendBuilt(): boolean {
  return existsSync(MARKER) && readFileSync(MARKER, 'utf8') === sourcesHash();
}

/** Builds the frontend with its own build script. */
export async function buildFrontend(
  environment: Record<string, string>,
  signal?: AbortSignal,
): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(join(FRONTEND, 'package.json'), 'utf8')) as {
    scripts: { build: string };
  };
  await runToEnd({
    name: 'The build of the frontend',
    // As `npm run build` does, without the second that npm takes.
    command: ['sh', '-c', scripts.build],
    cwd: FRONTEND,
    // React's switch for a production build, which is also used locally.
    env: { ...environment, PATH: withBinaries(environment.PATH), NODE_ENV: 'production' },
    signal,
  });
  mkdirSync(dirname(MARKER), { recursive: true });
  // After the build, because it also writes files among the sources.
  writeFileSync(MARKER, sourcesHash());
}

function withBinaries(path = ''): string {
  return [join(PROJECT_DIR, 'node_modules/.bin'), path].join(delimiter);
}

function sourcesHash(): string {
  const files = globSync(SOURCES, { cwd: PROJECT_DIR, exclude: NOT_SOURCES, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

interface FrontendServerOptions extends FrontendOrder {
  env: Record<string, string>;
  logFile: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const SERVER_MAIN = fileURLToPath(new URL('./dev/frontend-server.ts', import.meta.url));

/** Starts the frontend's development server in its own process. */
export function startFrontendServer(options: FrontendServerOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { env, logFile, onLine, signal, ...order } = options;
  const script = [SERVER_MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'frontend', script, env, logFile, onLine });
  const isReady = () => answersOk(`http://${reachable(order.host)}:${order.port}/`);
  return { child, ready: untilReady({ child, isReady, logFile, signal }) };
}
