import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { usersKeptIn, type EmulatedUser } from './users.ts';
import type { EmulatorOptions } from '#stand-ins.ts';

if (process.env.NODE_ENV === 'production') {
  throw new Error(
    'The identity emulator does not start with NODE_ENV=production: it signs nothing, so anybody ' +
      'could be anybody. Set FIREBASE_PROJECT_ID to a real project and leave ' +
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

// The emulator without its command line, which takes twice as long to start and asks the network
// for news. These paths inside the package are not public: its version is held by the lockfile.
const require = createRequire(import.meta.url);
const { default: api } = require('firebase-tools/lib/emulator/auth/apiSpec') as {
  default: { paths: object };
};
const { createApp } = require('firebase-tools/lib/emulator/auth/server') as {
  createApp: CreateApp;
};

// It compiles its whole description at each start. Without the half that is about tenants, passkeys,
// second factors and foreign sign-in providers, which no project here has: 2 s instead of 5.
const UNUSED = /tenants|passkey|mfa|SamlConfig|IdpConfig|SupportedIdp/;
api.paths = Object.fromEntries(Object.entries(api.paths).filter(([path]) => !UNUSED.test(path)));

const order = JSON.parse(process.argv[2] ?? '') as Omit<EmulatorOptions, 'logFile' | 'signal'>;
const { host, port, projectId, dataDir } = order;
const url = `http://${host}:${port}`;

const states = new Map<string, ProjectState>();
const app = await createApp(projectId, undefined, states);
const server = app.listen(port, host);
await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));

const users = dataDir ? usersKeptIn(dataDir, () => states.get(projectId)?.users) : undefined;
if (users) {
  const kept = users.load();
  if (kept.length > 0) await restore(kept);
  users.complete(kept);
  // Saved shortly after each change, so that even a kill loses next to nothing.
  server.on('request', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'OPTIONS') {
      response.once('finish', users.saveSoon);
    }
  });
}
// As in every real project since 2023; the emulator has it off. Last, because it says "ready".
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
  // The next save would drop those that were refused, so it must not come to it.
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
