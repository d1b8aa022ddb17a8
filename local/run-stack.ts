import { join } from 'node:path';
import { restartServices } from './dev/restart-on-change.ts';
import { buildFrontend, FRONTEND, isFrontendBuilt, startFrontendServer } from './frontend.ts';
import { startIdentityEmulator, startMailboxProcess, startStripeProcess } from './stand-ins.ts';
import { ensureDatabase, startCluster } from '#postgres/cluster.ts';
import { lastLines, runToEnd, startNode, type Child } from '#processes.ts';
import { describeEnd, Service } from '#service.ts';
import { LOOPBACK, PROJECT_DIR, type StackSettings } from '#settings.ts';
import { answersOk, reachable, untilReady } from '#until-ready.ts';

export interface StackHooks {
  /** Called for each part when it is ready. */
  onReady?: (part: string) => void;
  /** Called for each line that one of our processes writes. */
  onLine?: (part: string, line: string) => void;
  /** Called when one of them ended unexpectedly, and when it is restarted. */
  onRestart?: (line: string) => void;
}

/**
 * Runs a local stack: starts the parts that the environment does not name, prepares the database, and runs
 * the gateway and the workers. Used by `npm start` and by tests, with different settings.
 */
export class Stack {
  readonly settings: StackSettings;
  /** Resolves with the reason when a part ended that the others depend on. */
  readonly broken: Promise<string>;
  readonly #hooks: StackHooks;
  readonly #abort = new AbortController();
  readonly #services: Service[] = [];
  readonly #standIns: Child[] = [];
  #postgres: Child | undefined;
  #stopWatching: (() => Promise<void>) | undefined;
  #started: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #break: (reason: string) => void = () => {};

  constructor(settings: StackSettings, hooks: StackHooks = {}) {
    this.settings = settings;
    this.#hooks = hooks;
    this.broken = new Promise((resolve) => (this.#break = resolve));
  }

  /** Resolves when everything is ready. After a failure call `close`: some parts may be running. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Stops everything in order: first the parts that accept work, and the database last. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Kills all remaining processes. */
  kill(): void {
    for (const child of this.#children()) child.kill();
  }

  /** The current process of the gateway or the workers. */
  process(name: 'gateway' | 'workers'): Child {
    const service = this.#services.find((candidate) => candidate.name === name);
    if (!service) throw new Error(`There are no ${name} yet.`);
    return service.child;
  }

  async #start(): Promise<void> {
    // Concurrently, because the emulator alone takes some seconds. Waits for all parts, also when one fails,
    // because a part that is still starting cannot be stopped.
    const database = this.#database();
    const identity = this.#identity();
    const frontend = this.#frontend();
    const parts = [
      database,
      identity,
      frontend,
      this.#stripe(),
      this.#mailbox(),
      Promise.all([database, identity]).then(() => this.#seed()),
      Promise.all([database, frontend]).then(() => this.#servicesReady()),
    ];
    for (const part of parts) part.catch(() => this.#abort.abort());
    const failed = (await Promise.allSettled(parts)).filter((part) => part.status === 'rejected');
    const reasons = failed.map((part) => part.reason as Error);
    const reason = reasons.find((error) => error.name !== 'AbortError') ?? reasons[0];
    if (reason) throw reason;
  }

  async #close(): Promise<void> {
    this.#abort.abort();
    await this.#started?.catch(() => {});
    await this.#stopWatching?.();
    for (const service of this.#services) await service.stop();
    await Promise.all(this.#standIns.map((child) => child.stop()));
    await this.#postgres?.stop();
  }

  async #database(): Promise<void> {
    if (this.settings.starts.postgres) {
      const { superuserUrl, child, ready } = await startCluster({
        port: this.settings.POSTGRES_PORT,
        dataDir: join(this.settings.dataDir, 'postgres'),
        logFile: this.#logFile('postgres'),
        signal: this.#abort.signal,
      });
      this.#postgres = this.#vital(child);
      await ready;
      await ensureDatabase(superuserUrl, 'proveklar');
    }
    await this.#run('The migration', 'services/migrate-command.ts', 'up');
    this.#hooks.onReady?.('database');
  }

  async #identity(): Promise<void> {
    const { starts, environment, IDENTITY_PORT: port, dataDir } = this.settings;
    if (!starts.identity) return;
    const { child, ready } = startIdentityEmulator({
      host: LOOPBACK,
      port,
      projectId: environment.FIREBASE_PROJECT_ID ?? '',
      dataDir: join(dataDir, 'identity'),
      logFile: this.#logFile('identity'),
      signal: this.#abort.signal,
    });
    this.#standIns.push(this.#vital(child));
    await ready;
    this.#hooks.onReady?.('identity emulator');
  }

  async #stripe(): Promise<void> {
    const { starts, environment, STRIPE_PORT: port, dataDir } = this.settings;
    if (!starts.stripe) return;
    const { child, ready } = startStripeProcess({
      host: LOOPBACK,
      port,
      dataDir: join(dataDir, 'stripe'),
      logFile: this.#logFile('stripe'),
      webhookUrl: `${environment.PUBLIC_URL}/api/v1/stripe/webhook`,
      // During a rotation there are two secrets, and Stripe signs with the newer one.
      webhookSecret: environment.STRIPE_WEBHOOK_SECRET?.split(',')[0] ?? '',
      nodeEnv: environment.NODE_ENV,
      onLine: (line) => this.#hooks.onLine?.('stripe', line),
      signal: this.#abort.signal,
    });
    this.#standIns.push(this.#vital(child));
    await ready;
    this.#hooks.onReady?.('Stripe stand-in');
  }

  async #mailbox(): Promise<void> {
    const { starts, environment, MAILBOX_PORT: port, SMTP_PORT: smtpPort, dataDir } = this.settings;
    if (!starts.mailbox) return;
    const { FIREBASE_AUTH_EMULATOR_HOST: emulator, FIREBASE_PROJECT_ID: projectId } = environment;
    const { child, ready } = startMailboxProcess({
      host: LOOPBACK,
      port,
      smtpPort,
      dataDir: join(dataDir, 'mailbox'),
      logFile: this.#logFile('mailbox'),
      identity: emulator && projectId ? { url: `http://${emulator}`, projectId } : undefined,
      productUrl: environment.PUBLIC_URL,
      nodeEnv: environment.NODE_ENV,
      onLine: (line) => this.#hooks.onLine?.('mailbox', line),
      signal: this.#abort.signal,
    });
    this.#standIns.push(this.#vital(child));
    await ready;
    this.#hooks.onReady?.('mailbox');
  }

  async #frontend(): Promise<void> {
    if (!this.settings.starts.frontend) return;
    if (this.settings.dev) await this.#frontendServer();
    else if (!isFrontendBuilt()) await buildFrontend(this.settings.environment, this.#abort.signal);
    this.#hooks.onReady?.('frontend');
  }

  async #frontendServer(): Promise<void> {
    const { environment, gateway, HOST, PORT } = this.settings;
    const { child, ready } = startFrontendServer({
      root: FRONTEND,
      host: HOST,
      port: PORT,
      gatewayUrl: `http://${gateway.host}:${gateway.port}`,
      env: environment,
      logFile: this.#logFile('frontend'),
      onLine: (line) => this.#hooks.onLine?.('frontend', line),
      signal: this.#abort.signal,
    });
    this.#standIns.push(this.#vital(child));
    await ready;
  }

  /** The demo learner's password is public, so a real Firebase project gets no demo learner. */
  async #seed(): Promise<void> {
    if (!this.settings.environment.FIREBASE_AUTH_EMULATOR_HOST) return;
    await this.#run('The seed', 'local/seed/seed.ts');
    this.#hooks.onReady?.('seed');
  }

  async #servicesReady(): Promise<void> {
    this.#abort.signal.throwIfAborted();
    const { environment, dev, gateway: address, GATEWAY_OPERATORS_PORT } = this.settings;
    const url = `http://${reachable(address.host)}:${address.port}/health/ready`;
    const gateway = this.#service('gateway', 'gateway/server.ts', {
      HOST: address.host,
      PORT: String(address.port),
      OPERATORS_PORT: String(GATEWAY_OPERATORS_PORT),
      FRONTEND_DIR: dev ? undefined : environment.FRONTEND_DIR,
    });
    const workers = this.#service('workers', 'workers/main.ts');
    const ended = endOf(workers.child, this.#logFile('workers'));
    const signal = AbortSignal.any([this.#abort.signal, ended]);
    const logFile = this.#logFile('gateway');
    await untilReady({ child: gateway.child, isReady: () => answersOk(url), logFile, signal });
    this.#hooks.onReady?.('gateway and workers');
    gateway.supervise();
    workers.supervise();
    if (!dev) return;
    const say = (line: string) => this.#hooks.onRestart?.(line);
    this.#stopWatching = await restartServices({ gateway, workers }, say);
  }

  #service(
    name: string,
    script: string,
    environment: Record<string, string | undefined> = {},
  ): Service {
    const launch = () =>
      startNode({
        name,
        script: [join(PROJECT_DIR, script)],
        env: { ...this.settings.environment, ...environment },
        logFile: this.#logFile(name),
        onLine: (line) => this.#hooks.onLine?.(name, line),
      });
    const say = (line: string) => this.#hooks.onRestart?.(line);
    const service = new Service({ name, launch, say, waitsForRestart: this.settings.dev });
    this.#services.push(service);
    return service;
  }

  async #run(name: string, script: string, ...args: string[]): Promise<void> {
    this.#abort.signal.throwIfAborted();
    await runToEnd({
      name,
      command: [process.execPath, join(PROJECT_DIR, script), ...args],
      env: this.settings.environment,
      signal: this.#abort.signal,
    });
  }

  #vital(child: Child): Child {
    void child.ended.then((ended) => {
      const log = this.#logFile(child.name);
      this.#break(`${child.name} ended unexpectedly (${describeEnd(ended)}); see ${log}`);
    });
    return child;
  }

  #children(): Child[] {
    const services = this.#services.map((service) => service.child);
    return [...services, ...this.#standIns, ...(this.#postgres ? [this.#postgres] : [])];
  }

  #logFile(name: string): string {
    return join(this.settings.dataDir, 'logs', `${name}.log`);
  }
}

/** Aborts when the process ends, with the last lines of its log as the reason. */
function endOf(child: Child, logFile: string): AbortSignal {
  const controller = new AbortController();
  void child.ended.then(() =>
    controller.abort(new Error(`${child.name} ended at once:\n${lastLines(logFile)}`)),
  );
  return controller.signal;
}
