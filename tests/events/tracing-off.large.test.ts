import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const repository = new URL('../../', import.meta.url);

/** Loads a gateway and workers as a process does, and prints which OpenTelemetry files were loaded. */
const LOAD = `
  import { registerHooks } from 'node:module';
  const seen = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      seen.add(found.url);
      return found;
    },
  });
  const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await import('@proveklar/gateway/app.ts');
  await import('@proveklar/workers/start-workers.ts');
  const { openTracing } = await import('@proveklar/services/tracing/tracing.ts');
  const stop = await openTracing('gateway', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, VERSION: 'test' });
  await stop();
  const ours = /otel|@opentelemetry[/\\\\](sdk|exporter|context|core|resources|otlp)/;
  console.log(JSON.stringify([...seen].filter((url) => ours.test(url))));
`;

async function loadedWith(environment: Record<string, string>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', LOAD],
    {
      cwd: new URL('tests/', repository),
      env: { PATH: process.env.PATH, ...environment },
    },
  );
  return JSON.parse(stdout) as string[];
}

test('OpenTelemetry is not loaded while tracing is off', async () => {
  expect(await loadedWith({})).toEqual([]);
  const traced = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(traced.join(' ')).toMatch(/sdk-trace/);
});

test('one copy of the OpenTelemetry API is installed: two would not see each other', async () => {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', repository), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const copies = Object.keys(lock.packages).filter((path) =>
    path.endsWith('node_modules/@opentelemetry/api'),
  );
  expect(copies).toEqual(['node_modules/@opentelemetry/api']);
});
