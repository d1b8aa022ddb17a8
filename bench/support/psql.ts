import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { NotMeasured } from '#not-measured.ts';

const DONE = 'bench-statement-done';

/** @throws NotMeasured that says what to install */
export function requirePsql(): void {
  if (spawnSync('psql', ['--version']).error) {
    throw new NotMeasured('psql is missing: apt-get install postgresql-client');
  }
}

/**
 * One psql with one connection, which measures each statement itself (`\timing`), without the time to start and
 * connect.
 */
export class Psql {
  readonly #child: ChildProcessWithoutNullStreams;
  #output = '';
  #errors = '';

  constructor(url: string) {
    const args = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '-v', 'ON_ERROR_STOP=1'];
    // Without the shell's variables for the number format and the server.
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    this.#child = spawn('psql', [...args, url], { env });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    // The exit handler reports a psql that has ended; a failed write to it must not end this process.
    this.#child.stdin.on('error', () => {});
    this.#child.stdin.write('\\timing on\n');
  }

  /**
   * Runs one statement, or one `\copy`.
   *
   * @returns the milliseconds that psql measured, and its output
   */
  async time(statement: string): Promise<{ ms: number; output: string }> {
    this.#output = '';
    const isMeta = statement.startsWith('\\');
    this.#child.stdin.write(`${statement}${isMeta ? '' : ';'}\n\\echo ${DONE}\n`);
    const output = await this.#untilDone();
    const [, ms] = /Time: ([\d.]+) ms/.exec(output) ?? [];
    if (ms === undefined) throw new Error(`psql printed no timing: ${output}`);
    return { ms: Number(ms), output: output.split('\n')[0] ?? '' };
  }

  close(): void {
    this.#child.stdin.end('\\q\n');
  }

  #untilDone(): Promise<string> {
    return new Promise((resolve, reject) => {
      const { stdout } = this.#child;
      const look = () => {
        if (!this.#output.includes(DONE)) return;
        stdout.off('data', look);
        this.#child.off('close', fail);
        resolve(this.#output);
      };
      const fail = () => {
        stdout.off('data', look);
        reject(new Error(`psql ended: ${this.#errors}`));
      };
      stdout.on('data', look);
      this.#child.once('close', fail);
    });
  }
}
