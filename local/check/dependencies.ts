// Over 400 lines: the page of dependencies, made and checked by one walk through the lockfiles.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/*
 * The supply chain: docs/dependencies.md, and what must hold for it. In one file, because the page, the check, the bills of
 * materials and the audit read the same lockfiles.
 *
 *   node local/check/dependencies.ts                 reports what does not hold, and a page that is not up to date
 *   node local/check/dependencies.ts --write         writes the tables of the page; their last column is written by hand
 *   node local/check/dependencies.ts --sbom FOLDER   writes two bills of materials (CycloneDX): of all that is
 *                                                    installed, and of what the image of the product installs
 *   node local/check/dependencies.ts --audit         asks the registry for known vulnerabilities: exit code 1 for high
 *                                                    or critical ones, 0 and "not answered" if it has no such list
 */

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/dependencies.md';
/** The folders with a lockfile of their own, whose packages are installed when they are first needed. */
const ON_DEMAND = [
  'bench/job-queues',
  'bench/lighthouse',
  'frontend/theme-cli',
  'local/chromium',
  'tests/checks/api-linters',
  'tests/operations/kubernetes-models',
  'tests/operations/object-store',
];
/** The workspaces that the Dockerfile installs for the image `app`. */
const IMAGE_WORKSPACES = ['gateway', 'services', 'workers', 'operators'];

const PERMITTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);
/** Licences that are judged package by package. docs/dependencies.md says why these are permitted. */
const PERMITTED_FOR: Record<string, RegExp> = {
  'MPL-2.0': /^(axe-core|lightningcss(-[a-z0-9-]+)?)$/u,
  'OFL-1.1': /^@fontsource-variable\/inter$/u,
  'public domain': /^deep-freeze$/u,
  unknown: /^humanize-number$/u,
};

interface Manifest {
  name?: string;
  version?: string;
  workspaces?: string[];
  allowScripts?: Record<string, boolean>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  license?: string;
  /** As packages named their licences before 2015. */
  licenses?: { type: string }[];
}

/** A package of a lockfile, as much as is read here. */
interface Locked extends Manifest {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Packages = Record<string, Locked>;

/** All that the page is made from. */
interface Tree {
  root: string;
  manifest: Manifest;
  /** By folder; '' is that of the workspaces. */
  lockfiles: Map<string, Packages>;
}

function readTree(root: string): Tree {
  const folders = ['', ...ON_DEMAND.filter((folder) => existsSync(join(root, folder)))];
  const read = (folder: string) =>
    (readJson(join(root, folder, 'package-lock.json')) as { packages: Packages }).packages;
  return {
    root,
    manifest: readJson(join(root, 'package.json')) as Manifest,
    lockfiles: new Map(folders.map((folder) => [folder, read(folder)])),
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The packages from a registry, with their paths; not the workspaces and the links to them. */
function foreign(packages: Packages): [path: string, locked: Locked][] {
  return Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
}

/** An alias (`npm:…`) has the name of what it stands for. */
const nameOf = (path: string, { name }: Locked) => name ?? path.split('node_modules/').at(-1)!;

/** Where Node finds a package from a folder: its own node_modules, then those above. */
function locate(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = join(folder, 'node_modules', name);
    const found = packages[path];
    if (found) return found.link ? found.resolved : path;
    if (folder === '') return undefined;
  }
}

/** The paths that npm installs for these folders with --omit=dev --omit=optional. */
function reachable(packages: Packages, folders: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...folders];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta,
    } = packages[path]!;
    const peers = Object.keys(peerDependencies).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = locate(packages, path, name);
      if (found !== undefined) waiting.push(found);
    }
  }
  // npm omits a package that is optional wherever it is needed, and keeps what such a package needs and another too.
  return new Set([...reached].filter((path) => !packages[path]!.optional));
}

/** As the lockfile says, else the installed package. */
function licenceOf(root: string, path: string, locked: Locked): string {
  if (locked.license) return locked.license;
  const file = join(root, path, 'package.json');
  const installed = existsSync(file) ? (readJson(file) as Manifest) : {};
  return installed.license ?? installed.licenses?.map(({ type }) => type).join(' OR ') ?? 'unknown';
}

/** A package with `A OR B` is used under the permitted one. A mixed expression is for a person to judge. */
function isPermitted(name: string, licence: string): boolean {
  if (PERMITTED_FOR[licence]?.test(name)) return true;
  const plain = licence.replace(/^\((.*)\)$/u, '$1');
  const [either, all] = [plain.split(' OR '), plain.split(' AND ')];
  if (either.length > 1) return all.length === 1 && either.some((one) => PERMITTED.has(one));
  return all.every((one) => PERMITTED.has(one));
}

/** Optional packages of other platforms that the lockfile does not have, by the package that names them. */
function notLocked(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !locate(packages, path, name)),
  );
}

/**
 * What does not hold, one sentence each, which says what to do.
 *
 * @param root the folder of the project, for tests
 */
export function findFaults(root: string = REPOSITORY): string[] {
  const tree = readTree(root);
  const { allowScripts = {} } = tree.manifest;
  const faults: string[] = [];
  for (const [folder, packages] of tree.lockfiles) {
    const file = join(folder, 'package-lock.json');
    for (const [path, locked] of foreign(packages)) {
      const name = nameOf(path, locked);
      const at = `${path} in ${file}`;
      if (!locked.integrity?.startsWith('sha512-')) {
        faults.push(`${at} has no SHA-512 integrity: remove it there and install again.`);
      }
      // A host in the lockfile would be asked in the place of the registry that npm is set to.
      if (locked.resolved) faults.push(`${at} names a host: remove "resolved".`);
      if (folder === '' && locked.hasInstallScript && allowScripts[name] === undefined) {
        faults.push(
          `${at} has an install script: read it, and name ${name} in allowScripts of package.json.`,
        );
      }
      const licence = licenceOf(join(root, folder), path, locked);
      if (!isPermitted(name, licence)) {
        faults.push(
          `${at} has the licence ${licence}, which is not permitted: judge it in ${PAGE}.`,
        );
      }
    }
    for (const [path, { dependencies = {} }] of Object.entries(packages)) {
      for (const name of Object.keys(dependencies)) {
        if (!locate(packages, path, name))
          faults.push(`${file} has no ${name}, which ${path} needs.`);
      }
    }
  }
  const names = new Set(
    foreign(tree.lockfiles.get('')!).map(([path, locked]) => nameOf(path, locked)),
  );
  for (const name of Object.keys(allowScripts)) {
    if (!names.has(name))
      faults.push(`allowScripts of package.json names ${name}, which is not installed.`);
  }
  const npmrc = join(root, '.npmrc');
  if (!existsSync(npmrc) || !/^ignore-scripts=true$/mu.test(readFileSync(npmrc, 'utf8'))) {
    faults.push('.npmrc must say ignore-scripts=true.');
  }
  const page = readFileSync(join(root, PAGE), 'utf8');
  if (renderPage(root) !== page) {
    faults.push(`${PAGE} is not up to date: npm run check -- --only dependencies --fix`);
  }
  for (const [, first = ''] of page.matchAll(/^\| (.*?) \|.*\| +\|$/gmu)) {
    faults.push(
      `${PAGE}: the row of ${first} says nothing in its last column, which is written by hand.`,
    );
  }
  return faults;
}

/** The page with its tables made again. Rows keep their last column, which is written by hand. */
export function renderPage(root: string = REPOSITORY): string {
  const tree = readTree(root);
  const tables: Record<string, string[][]> = {
    direct: directRows(tree),
    scripts: scriptRows(tree),
    integrity: integrityRows(tree),
    licences: licenceRows(tree),
  };
  return readFileSync(join(root, PAGE), 'utf8').replaceAll(
    /(<!-- table: (\w+) -->\n\n\|.*\n\|.*\n)((?:\|.*\n)*)/gu,
    (_, head: string, name: string, old: string) => {
      const kept = old
        .trim()
        .split('\n')
        .map((row) => row.split(' | '));
      const written = new Map(kept.map((cells) => [cells[0], cells.at(-1)!.replace(/ ?\|$/u, '')]));
      const rows = tables[name]!.map((cells) => {
        const first = `| ${cells[0]!}`;
        return `${[first, ...cells.slice(1), written.get(first) ?? ''].join(' | ')} |\n`;
      });
      return head + rows.join('');
    },
  );
}

/** Each package that a manifest of ours names: licence, where it runs, the workspaces. */
function directRows({ root, manifest, lockfiles }: Tree): string[][] {
  const packages = lockfiles.get('')!;
  const browser = browserImports(root);
  const rows = new Map<string, { licence: string; places: Set<string>; runs: Set<string> }>();
  const add = (folder: string, name: string, runs: string, licence: string) => {
    const row = rows.get(name) ?? { licence, places: new Set(), runs: new Set() };
    row.places.add(folder || 'root');
    row.runs.add(runs);
    rows.set(name, row);
  };
  for (const folder of ['', ...(manifest.workspaces ?? [])]) {
    const {
      dependencies = {},
      devDependencies = {},
      optionalDependencies = {},
    } = packages[folder]!;
    for (const name of Object.keys({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      const path = locate(packages, folder, name);
      if (!path?.includes('node_modules/')) continue;
      const runs = devDependencies[name] ? 'tests' : placeOf(folder, name, browser);
      add(folder, name, runs, licenceOf(root, path, packages[path]!));
      if (folder === 'contract' && runs === 'production') add(folder, name, 'browser', '');
    }
  }
  for (const folder of ON_DEMAND.filter((each) => lockfiles.has(each))) {
    const theirs = lockfiles.get(folder)!;
    for (const name of Object.keys(theirs['']!.dependencies ?? {})) {
      add(folder, name, 'on demand', theirs[`node_modules/${name}`]!.license ?? 'unknown');
    }
  }
  return [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { licence, places, runs }]) => {
      const order = ['production', 'browser', 'build', 'local', 'on demand', 'tests'];
      // A test also imports what the product does; it says something only of the rest.
      const shown = order.filter((each) => runs.has(each) && (each !== 'tests' || runs.size === 1));
      return [`\`${name}\``, licence, shown.join(', '), [...places].join(', ')];
    });
}

function placeOf(folder: string, name: string, browser: ReadonlySet<string>): string {
  if (folder === 'contract' || IMAGE_WORKSPACES.includes(folder)) return 'production';
  if (folder === 'frontend') return browser.has(name) ? 'browser' : 'build';
  if (folder === 'tests' || folder === 'bench') return 'tests';
  return 'local';
}

/** The packages that a file of the frontend imports, style sheets included. */
function browserImports(root: string): Set<string> {
  const files = globSync('frontend/src/**/*.{ts,tsx,css}', { cwd: root });
  const text = files
    .filter((file) => !/\.test\.tsx?$/u.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const imported = text.matchAll(/(?:from|import|import\(|url\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/gu);
  return new Set(Array.from(imported, ([, name]) => name!));
}

function scriptRows({ manifest, lockfiles }: Tree): string[][] {
  const named = Object.entries(manifest.allowScripts ?? {});
  const onDemand = [...lockfiles]
    .filter(([folder]) => folder !== '')
    .flatMap(([, packages]) =>
      foreign(packages)
        .filter(([, { hasInstallScript }]) => hasInstallScript)
        .map(([path, locked]): [string, boolean] => [nameOf(path, locked), false]),
    );
  return [...named, ...onDemand]
    .toSorted(([a, runsA], [b, runsB]) => Number(runsB) - Number(runsA) || (a < b ? -1 : 1))
    .map(([name, runs]) => [`\`${name}\``, runs ? 'runs' : 'off']);
}

function integrityRows({ lockfiles }: Tree): string[][] {
  return [...lockfiles].map(([folder, packages]) => {
    const all = foreign(packages);
    const withHash = all.filter(([, { integrity }]) => integrity).length;
    const file = join(folder, 'package-lock.json');
    return [`\`${file}\``, `${all.length}`, `${withHash}`, `${notLocked(packages).length}`];
  });
}

/** Each licence with the number of packages: in all lockfiles, in the image, in the browser at most. */
function licenceRows({ root, lockfiles }: Tree): string[][] {
  const product = lockfiles.get('')!;
  const imports = browserImports(root);
  const bundled = Object.keys(product['frontend']?.dependencies ?? {})
    .filter((name) => imports.has(name))
    .flatMap((name) => locate(product, 'frontend', name) ?? []);
  const [image, browser] = [reachable(product, IMAGE_WORKSPACES), reachable(product, bundled)];
  const counts = new Map<string, [number, number, number]>();
  for (const [folder, packages] of lockfiles) {
    for (const [path, locked] of foreign(packages)) {
      const licence = licenceOf(join(root, folder), path, locked);
      const [all, inImage, inBrowser] = counts.get(licence) ?? [0, 0, 0];
      const isIn = (paths: Set<string>) => Number(folder === '' && paths.has(path));
      counts.set(licence, [all + 1, inImage + isIn(image), inBrowser + isIn(browser)]);
    }
  }
  return [...counts]
    .toSorted(([a, [many]], [b, [more]]) => more - many || (a < b ? -1 : 1))
    .map(([licence, numbers]) => [licence, ...numbers.map(String)]);
}

/** Runs npm, which may fail. */
function npm(args: string[], cwd: string) {
  const program = process.env.npm_execpath;
  const [command = 'npm', ...first] = program ? [process.execPath, program] : [];
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((settle) => {
    execFile(command, [...first, ...args], { cwd, maxBuffer: 100e6 }, (error, stdout, stderr) =>
      settle({ failed: error !== null, stdout, stderr }),
    );
  });
}

interface Bill {
  metadata: { component: { name: string; 'bom-ref': string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Writes sbom.cdx.json and sbom-image.cdx.json.
 *
 * @throws Error with npm's reason, such as a package that is not installed
 */
async function writeBills(folder: string): Promise<string> {
  const { failed, stdout, stderr } = await npm(['sbom', '--sbom-format', 'cyclonedx'], REPOSITORY);
  if (failed) throw new Error(`npm sbom failed:\n${stderr}`);
  const bill = JSON.parse(stdout) as Bill;
  const { manifest, lockfiles } = readTree(REPOSITORY);
  // npm takes the name of the folder.
  bill.metadata.component.name = manifest.name!;
  // Not npm's own --omit=dev, which leaves out fastify and all else that a test imports too.
  const packages = lockfiles.get('')!;
  const image = new Set([bill.metadata.component['bom-ref']]);
  for (const path of reachable(packages, IMAGE_WORKSPACES)) {
    const { version = '' } = packages[path]!;
    image.add(`${nameOf(path, packages[path]!)}@${version}`);
  }
  const inImage: Bill = {
    ...bill,
    components: bill.components.filter((component) => image.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => image.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((each) => image.has(each)),
      })),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(bill, undefined, 2));
  writeFileSync(join(folder, 'sbom-image.cdx.json'), JSON.stringify(inImage, undefined, 2));
  const [all, some] = [bill.components.length, inImage.components.length];
  return `${all} components, ${some} of them in the image: ${folder}/sbom*.cdx.json`;
}

/** npm's report, or its error. */
interface AuditReport {
  auditReportVersion?: number;
  /** Of the call to the registry, which failed. */
  message?: string;
  statusCode?: number;
  vulnerabilities?: Record<string, { severity: string; range: string }>;
}

/**
 * The known vulnerabilities of the packages of a lockfile.
 *
 * @returns `answered` is false if the registry has no list of vulnerabilities or cannot be reached; `severe` are the high and
 *   the critical ones
 * @throws Error for any other reason why npm cannot tell, such as a lockfile that it cannot read
 */
export async function audit(folder: string, options: string[] = []) {
  const args = ['audit', '--json', '--package-lock-only', ...options];
  const { stdout, stderr } = await npm(args, folder);
  const report = JSON.parse(stdout || '{}') as AuditReport;
  const answered = report.auditReportVersion !== undefined;
  if (!answered && report.message === undefined) throw new Error(`npm audit failed:\n${stderr}`);
  const found = Object.entries(report.vulnerabilities ?? {});
  return {
    answered,
    status: report.statusCode,
    known: found.length,
    severe: found
      .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
      .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}

/** @returns the exit code */
async function auditAll(): Promise<number> {
  let severe = 0;
  for (const folder of ['', ...ON_DEMAND]) {
    const result = await audit(join(REPOSITORY, folder));
    const file = join(folder, 'package-lock.json');
    if (!result.answered) {
      // The registry is the same for all.
      console.log(
        `not answered: ${result.status ? `the registry says ${result.status}` : 'no connection'}`,
      );
      return severe > 0 ? 1 : 0;
    }
    console.log(
      `${file}: ${result.known} packages with known vulnerabilities, ${result.severe.length} high or critical`,
    );
    for (const line of result.severe) console.log(`  ${line}`);
    severe += result.severe.length;
  }
  return severe > 0 ? 1 : 0;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { write: { type: 'boolean' }, sbom: { type: 'string' }, audit: { type: 'boolean' } },
  });
  if (values.sbom) console.log(await writeBills(values.sbom));
  else if (values.audit) process.exitCode = await auditAll();
  else {
    if (values.write) writeFileSync(join(REPOSITORY, PAGE), renderPage());
    const faults = findFaults();
    for (const fault of faults) console.error(fault);
    process.exitCode = faults.length > 0 ? 1 : 0;
  }
}
