import type { Child, Ended } from '#processes.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
// The gateway and the workers stop one after the other, and both within the stack's ten seconds.
const GRACE_MS = 4_000;
// One that ran this long is not in a loop of crashes.
const SETTLED_MS = 30_000;

/** One of our own processes. Once it is supervised, it is started again whenever it ends by itself. */
export class Service {
  readonly name: string;
  readonly #launch: () => Child;
  readonly #say: (line: string) => void;
  #child: Child;
  #stopping = false;
  #pause = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string, launch: () => Child, say: (line: string) => void) {
    this.name = name;
    this.#launch = launch;
    this.#say = say;
    this.#child = launch();
  }

  /** The process of this moment. */
  get child(): Child {
    return this.#child;
  }

  supervise(): void {
    const started = Date.now();
    void this.#child.ended.then((ended) => {
      if (this.#stopping) return;
      if (Date.now() - started > SETTLED_MS) this.#pause = FIRST_PAUSE_MS;
      this.#say(
        `${this.name} ended unexpectedly (${describeEnd(ended)}); ` +
          `starting it again in ${this.#pause / 1000} s`,
      );
      this.#timer = setTimeout(() => {
        this.#child = this.#launch();
        this.supervise();
      }, this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#child.stop(GRACE_MS);
  }
}

export function describeEnd({ code, signal }: Ended): string {
  return signal ?? `exit code ${String(code)}`;
}
