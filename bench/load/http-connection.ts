import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The Retry-After of a 503. */
const RETRY_DELAY_MS = 1_000;

/**
 * A keep-alive connection that sends one request at a time. Node's own client takes three times as much CPU,
 * which the gateway on the same host needs.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received = '';
  #settle: ((error: Error | null, status: number) => void) | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', (error) => this.#settle?.(error, 0));
    this.#socket.on('close', () =>
      this.#settle?.(new Error('The gateway closed the connection'), 0),
    );
  }

  /** @returns the status of the response */
  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#settle = (error, status) => {
        this.#settle = undefined;
        if (error) reject(error);
        else resolve(status);
      };
      this.#socket.write(request);
    });
  }

  /**
   * Sends a request until the service is available, as the frontend does. The retries are part of its latency.
   *
   * @throws when the status is neither 200 nor 503
   */
  async sendUntilOk(request: string): Promise<void> {
    for (;;) {
      const status = await this.send(request);
      if (status === 200) return;
      if (status !== 503) throw new Error(`A request was refused with ${status}.`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, end)) ?? [];
    if (length === undefined)
      throw new Error(`A response without Content-Length: ${this.#received}`);
    if (this.#received.length < end + 4 + Number(length)) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#settle?.(null, status);
  }
}
