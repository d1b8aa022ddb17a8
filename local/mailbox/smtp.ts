import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { RefusedPart } from '@proveklar/services/mail/send-mail.ts';

export interface SmtpCatcher {
  /** `smtp://127.0.0.1:<port>`. */
  url: string;
  /** From now on rejects every recipient, or every content, with this SMTP code; null accepts mails again. */
  refuse: (code: number | null, part?: RefusedPart) => void;
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
  let refusal: { code: number; part: RefusedPart } | null = null;
  const refusalOf = (part: RefusedPart) =>
    refusal?.part === part
      ? Object.assign(new Error('Refused on demand'), { responseCode: refusal.code })
      : undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1_000,
    onRcptTo(_address, _session, done) {
      done(refusalOf('recipient'));
    },
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      void answer(done, async () => {
        const raw = await buffer(stream);
        const error = refusalOf('content');
        if (error) throw error;
        await onMail(raw, recipients);
      });
    },
  });
  // A client that disconnects must not end the process.
  server.on('error', () => {});
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  const address = listening.address() as AddressInfo;
  return {
    url: `smtp://${host}:${address.port}`,
    refuse: (code, part = 'recipient') => {
      refusal = code === null ? null : { code, part };
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
