import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp } from '@proveklar/gateway/app.ts';
import { createDeps } from '@proveklar/gateway/deps.ts';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';
import { stackSettings } from '@proveklar/local/settings.ts';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';

// A step of `npm run check`: lints the API document by the recommended rules of Redocly and of Spectral,
// warnings included.

interface Finding {
  rule: string;
  /** JSON pointer in the document. */
  place: string;
  message: string;
}

/** As much of @stoplight/spectral-core as is used here. */
interface SpectralModule {
  Spectral: new () => {
    setRuleset: (ruleset: object) => void;
    run: (
      document: unknown,
    ) => Promise<{ code: string | number; path: (string | number)[]; message: string }[]>;
  };
}

const LINTERS = {
  name: 'the linters of the API document',
  folder: 'tests/checks/api-linters',
  megabytes: 66,
};

const UUID_PATHS =
  'An id of a payment is a UUID, so none is `reconciliations`; the rule does not read formats.';

/** Findings that stay, each with the reason why its rule does not fit. One that is gone is a fault too. */
const ACCEPTED = [
  {
    rule: 'no-ambiguous-paths',
    place: '#/paths/~1api~1v1~1admin~1payments~1{id}~1sync',
    reason: UUID_PATHS,
  },
  {
    rule: 'no-ambiguous-paths',
    place: '#/paths/~1api~1v1~1admin~1payments~1{id}~1refund',
    reason: UUID_PATHS,
  },
];

/** The document as the gateway serves it; nothing is connected to. */
async function makeDocument(): Promise<object> {
  const { environment } = stackSettings({});
  const settings = { ...environment, FRONTEND_DIR: undefined, LOG_LEVEL: 'error' };
  const app = await buildApp(createDeps(parseConfig(GatewayConfig, settings), () => {}));
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

async function lintWithRedocly(
  document: object,
  resolve: (specifier: string) => string,
): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-api-'));
  const program = join(resolve('@redocly/cli/package.json'), '../../../.bin/redocly');
  const args = [
    'lint',
    '--extends=recommended',
    '--format=json',
    '--max-problems=1000',
    'api.json',
  ];
  // It would otherwise report its use and ask for a newer version of itself.
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    await writeFile(join(folder, 'api.json'), JSON.stringify(document));
    const printed = await new Promise<string>((settle) => {
      const options = { cwd: folder, env: { ...process.env, ...quiet }, maxBuffer: 64 * 1024 ** 2 };
      // Its exit code is 1 where it finds errors, so what it printed decides.
      execFile(program, args, options, (_error, stdout, stderr) => settle(stdout || stderr));
    });
    const { problems } = JSON.parse(printed) as {
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return problems.map(({ ruleId, message, location: [location] }) => ({
      rule: ruleId,
      place: location?.pointer ?? '',
      message,
    }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function lintWithSpectral(
  document: object,
  resolve: (specifier: string) => string,
): Promise<Finding[]> {
  const load = async <T>(name: string) => {
    const module = (await import(pathToFileURL(resolve(name)).href)) as { default: T };
    return module.default;
  };
  const { Spectral } = await load<SpectralModule>('@stoplight/spectral-core');
  const { oas } = await load<{ oas: object }>('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas] });
  const results = await spectral.run(document);
  return results.map(({ code, path, message }) => ({
    rule: String(code),
    place: `#/${path.map((part) => String(part).replaceAll('/', '~1')).join('/')}`,
    message,
  }));
}

/** What is wrong with a document, a line each. */
async function faultsOf(document: object): Promise<string[]> {
  const resolve = await loadOnDemand(LINTERS, (line) => process.stdout.write(`${line}\n`));
  const linters = { Redocly: lintWithRedocly, Spectral: lintWithSpectral };
  const accepted = new Set(ACCEPTED);
  const found = await Promise.all(
    Object.entries(linters).map(async ([name, lint]) => {
      const findings = await lint(document, resolve);
      const open = findings.filter(({ rule, place }) => {
        const exception = ACCEPTED.find((one) => one.rule === rule && one.place === place);
        if (exception) accepted.delete(exception);
        return !exception;
      });
      const lines = open.map(({ rule, place, message }) => `${name} ${rule}: ${message} ${place}`);
      // A linter that reads nothing finds nothing.
      const works = (await lint({ openapi: '3.1.0' }, resolve)).length > 0;
      return works ? lines : [...lines, `${name} finds nothing wrong with an empty document`];
    }),
  );
  const gone = Array.from(accepted, ({ rule, place }) => `not found any more: ${rule} ${place}`);
  return [...found.flat(), ...gone];
}

const document = await makeDocument();
const faults = await faultsOf(document);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
