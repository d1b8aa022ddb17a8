import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface SmtpCatcher {
  /** `smtp://127.0.0.1:<port>`. */
  url: string;
  /** From now on rejects every recipient with this SMTP code; null accepts mails again. */
  refuse: (code: number | null) => void;
  close: () => Promise<void>;
}

export interface SmtpCatcherOptions {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  /** Stores a mail. The client gets its acknowledgement when this has resolved. */
  onMail: (raw: Buffer, recipients: string[]) => Promise<void>;
}

/** An SMTP server that accepts every mail and forwards none. */
export async function startSmtpCatcher(options: SmtpCatcherOptions): Promise<SmtpCatcher> {
  const { host, port, onMail } = options;
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1_000,
    onRcptTo(_address, _session, done) {
      if (refusal === null) return done();
      return done(Object.assign(new Error('Refused on demand'), { responseCode: refusal }));
    },
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      void answer(done, async () => onMail(await buffer(stream), recipients));
    },
  });
  // A client that disconnects must not end the process.
  server.on('error', () => {});
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  const address = listening.address() as AddressInfo;
  return {
    url: `smtp://${host}:${address.port}`,
    refuse: (code) => {
      refusal = code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function answer(done: (error?: Error) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    done();
  } catch (error) {
    done(error as Error);
  }
}
