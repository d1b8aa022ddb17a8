import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { userStore, type EmulatedUser } from './users.ts';
import type { EmulatorOptions } from '#stand-ins.ts';

if (process.env.NODE_ENV === 'production') {
  throw new Error(
    'The identity emulator does not start with NODE_ENV=production: its tokens are unsigned, so anyone ' +
      'could sign in as anyone. Set FIREBASE_PROJECT_ID to a real project and leave ' +
      'FIREBASE_AUTH_EMULATOR_HOST unset.',
  );
}

interface ProjectState {
  users: Map<string, EmulatedUser>;
}
type CreateApp = (
  projectId: string,
  singleProjectMode: number | undefined,
  states: Map<string, ProjectState>,
) => Promise<{ listen: (port: number, host: string) => Server }>;
type Middleware = (description: object, options: object) => Promise<unknown>;

// The emulator without its CLI, which takes twice as long to start and checks for updates. These paths of the
// package are internal; the lockfile pins its version.
const require = createRequire(import.meta.url);
const requireOfPackage = createRequire(require.resolve('firebase-tools/package.json'));
// The emulator would compile the validators of its whole API at each start, which takes seconds: here each at its first
// request.
const exegesis = requireOfPackage('exegesis-express') as { middleware: Middleware };
const { middleware } = exegesis;
exegesis.middleware = (description, options) =>
  middleware(description, { ...options, lazyCompileValidationSchemas: true });
const { createApp } = require('firebase-tools/lib/emulator/auth/server') as {
  createApp: CreateApp;
};

const order = JSON.parse(process.argv[2] ?? '') as Omit<EmulatorOptions, 'logFile' | 'signal'>;
const { host, port, projectId, dataDir } = order;
const url = `http://${host}:${port}`;

const states = new Map<string, ProjectState>();
const app = await createApp(projectId, undefined, states);
const server = app.listen(port, host);
// A process that is busy for seconds would send its next request on a connection that just timed out.
server.keepAliveTimeout = 0;
await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));

const users = dataDir ? userStore(dataDir, () => states.get(projectId)?.users) : undefined;
if (users) {
  const kept = users.load();
  if (kept.length > 0) await restore(kept);
  users.complete(kept);
  // Saves soon after each change, so that a killed process loses almost nothing.
  server.on('request', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'OPTIONS') {
      response.once('finish', users.saveSoon);
    }
  });
}
// On by default in real projects since 2023, and off in the emulator. Last, because it signals readiness.
await call('PATCH', `emulator/v1/projects/${projectId}/config`, {
  emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    users?.save();
    process.exit(0);
  });
}

async function restore(kept: EmulatedUser[]): Promise<void> {
  const path = `identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:batchCreate`;
  const { error = [] } = await call('POST', path, { users: kept });
  // Fails, because the next save would drop the refused users.
  if (error.length > 0) throw new Error(`Users were not restored: ${JSON.stringify(error)}`);
}

async function call(method: string, path: string, body: unknown): Promise<{ error?: unknown[] }> {
  const response = await fetch(`${url}/${path}`, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
  return JSON.parse(answer) as { error?: unknown[] };
}
