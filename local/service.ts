import { backoff } from '@proveklar/services/lifecycle/backoff.ts';
import type { Child, Ended } from '#processes.ts';

/** With the start of a process, a kill costs less than five seconds, however often it is repeated. */
export const RESTART_BACKOFF = { min: 100, max: 2_000 } as const;
// The gateway and the workers stop one after the other, together within the stack's ten seconds.
const GRACE_MS = 4_000;
// A process that ran this long is not in a crash loop: the backoff is reset.
const BACKOFF_RESET_MS = 5_000;

export interface ServiceOptions {
  name: string;
  launch: () => Child;
  say: (line: string) => void;
  /** Do not restart a process that fails at its start: its files are being edited. Wait for `restart`. */
  waitsForRestart?: boolean;
}

/** One of our own processes. Once supervised, it is restarted with a backoff when it ends unexpectedly. */
export class Service {
  readonly name: string;
  readonly #launch: () => Child;
  readonly #say: (line: string) => void;
  readonly #waitsForRestart: boolean;
  #child: Child;
  #stopping = false;
  #replaced: Child | undefined;
  #crashes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ name, launch, say, waitsForRestart = false }: ServiceOptions) {
    this.name = name;
    this.#launch = launch;
    this.#say = say;
    this.#waitsForRestart = waitsForRestart;
    this.#child = launch();
  }

  /** The current process. */
  get child(): Child {
    return this.#child;
  }

  supervise(): void {
    const started = Date.now();
    const child = this.#child;
    void child.ended.then((ended) => {
      if (this.#stopping || this.#replaced === child) return;
      const isStable = Date.now() - started > BACKOFF_RESET_MS;
      if (isStable) this.#crashes = 0;
      else if (this.#waitsForRestart) {
        this.#say(`${this.name} ended (${describeEnd(ended)}); the next save starts it again`);
        return;
      }
      const pause = backoff(this.#crashes, RESTART_BACKOFF);
      this.#say(
        `${this.name} ended unexpectedly (${describeEnd(ended)}); ` +
          `starting it again in ${pause / 1000} s`,
      );
      this.#timer = setTimeout(() => this.#start(), pause);
      this.#crashes += 1;
    });
  }

  /** Stops the process as `stop` does, and starts it with the current files. */
  async restart(): Promise<void> {
    clearTimeout(this.#timer);
    this.#replaced = this.#child;
    await this.#child.stop(GRACE_MS);
    if (!this.#stopping) this.#start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#child.stop(GRACE_MS);
  }

  #start(): void {
    this.#child = this.#launch();
    this.supervise();
  }
}

export function describeEnd({ code, signal }: Ended): string {
  return signal ?? `exit code ${String(code)}`;
}
