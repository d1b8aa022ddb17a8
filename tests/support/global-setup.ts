import { createServer, type Server, type ServerResponse } from 'node:http';
import type { TestProject } from 'vitest/node';
import { findBrowser } from '@proveklar/local/find-browser.ts';
import { findEngine } from './containers/engine.ts';
import { testSettings } from './settings.ts';
import { SharedServices, SHARED_PARTS, type SharedPart } from './shared-services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `shared()` asks for the database, Redis, the identity emulator and the frontend. */
    sharedServicesUrl: string;
  }
}

/** Runs once, before the first test file; what it returns runs after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = testSettings();
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = settings;
  const engine = TEST_DATABASE_URL && TEST_REDIS_URL ? undefined : await findEngine(process.env);
  const services = new SharedServices(settings, { engine, say });

  // Each service starts on the first request for it, so a test file without a database does not wait for one.
  // A test file that is busy for seconds would send its next request on a connection that just timed out.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answer(response, services[partOf(request.url)]());
  });
  const port = await listen(server);
  project.provide('sharedServicesUrl', `http://127.0.0.1:${port}`);

  // Other servers are announced when they start: only then it is known which ones are used.
  if (TEST_DATABASE_URL) say('Database: TEST_DATABASE_URL.');
  if (TEST_REDIS_URL) say('Redis: TEST_REDIS_URL.');
  say(`Browser: ${findBrowser(settings)?.description ?? 'none found'}.`);

  return async () => {
    server.closeAllConnections();
    server.close();
    await services.close();
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function partOf(path: string | undefined): SharedPart {
  const part = SHARED_PARTS.find((name) => path === `/${name}`);
  if (!part) throw new Error(`Nothing is shared under ${String(path)}`);
  return part;
}

async function answer(response: ServerResponse, wanted: Promise<unknown>): Promise<void> {
  try {
    response.end(JSON.stringify(await wanted));
  } catch (error) {
    response.statusCode = 500;
    response.end(error instanceof Error ? error.message : String(error));
  }
}

function listen(server: Server): Promise<number> {
  // It must not keep an interrupted run alive.
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
