import { readdirSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '@proveklar/gateway/app.ts';
import { setPrice } from './factories.ts';
import { createTestDeps, useTestGateway } from './gateway.ts';
import { shared } from './shared.ts';

/** A gateway that serves the built frontend, with a price of 149 kroner. */
export function withPages() {
  const gateway = useTestGateway();
  let app: FastifyInstance;
  let assets: string[];
  beforeAll(async () => {
    const { dir } = await shared<{ dir: string }>('frontend');
    assets = readdirSync(`${dir}/assets`);
    await setPrice(gateway.database.pool, 14_900);
    const config = {
      ...gateway.deps.config,
      FRONTEND_DIR: dir,
      PUBLIC_URL: 'https://example.no',
      SUPPORT_EMAIL: 'hjelp&"<svar>@example.no',
    };
    app = await buildApp(createTestDeps(config));
  });
  afterAll(() => app.close());

  return {
    gateway,
    get app() {
      return app;
    },
    /** The names of the built files. */
    assets: () => assets,
    get: (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url, headers }),
  };
}
