/** A client's stream of server-sent events. */
export class EventStream {
  readonly #abort = new AbortController();
  #waiting: ((at: number) => void) | undefined;

  /** Resolves when the gateway has sent `ready`. */
  static async open(url: string, token: string): Promise<EventStream> {
    const stream = new EventStream();
    const response = await fetch(`${url}/api/v1/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: stream.#abort.signal,
    });
    if (!response.ok || !response.body) throw new Error(`No stream: ${response.status}`);
    const ready = stream.next('event: ready');
    void stream.#read(response.body.pipeThrough(new TextDecoderStream()));
    await ready;
    return stream;
  }

  /** Resolves with the time in milliseconds of the next event whose text contains `part`. */
  next(part: string): Promise<number> {
    return new Promise((resolve) => {
      this.#part = part;
      this.#waiting = resolve;
    });
  }

  close(): void {
    this.#abort.abort();
  }

  #part = '';

  async #read(chunks: ReadableStream<string>): Promise<void> {
    let text = '';
    try {
      for await (const chunk of chunks) {
        const at = performance.now();
        const events = `${text}${chunk}`.split('\n\n');
        text = events.pop() ?? '';
        if (events.some((event) => event.includes(this.#part))) this.#waiting?.(at);
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }
}
