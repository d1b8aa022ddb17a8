import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import type { MailContent } from './compose-mail.ts';

export interface OutgoingMail extends MailContent {
  /** One address, without a name; not a list. */
  to: string;
  /** The Reply-To address; by default the installation's own. */
  replyTo?: string | null;
  /** The same for every attempt, so that a mail that arrives twice can be recognised as one. */
  id: string;
  /**
   * Called when the server has all of the mail but the dot that ends it. If it rejects, the connection is closed
   * without the dot, so the server delivers nothing, and `send` rejects with the same error.
   */
  beforeEnd?: () => Promise<void>;
}

export interface Mailer {
  /**
   * Hands a mail to the SMTP server.
   *
   * @throws MailRefusedError when this mail will never be accepted; any other error may be temporary
   */
  send: (mail: OutgoingMail) => Promise<void>;
}

interface MailerOptions extends TransportOptions {
  /** `Name <address>` or an address. */
  from: string;
  /** The Reply-To address, unless a mail has its own. */
  replyTo: string;
}

/** What of a mail a server refuses. A refused content, as by a spam filter, says nothing about the address. */
export type RefusedPart = 'recipient' | 'content';

/** The receiving server has permanently rejected this mail. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
  /** SMTP's reply code, 500 to 599. */
  readonly code: number;
  readonly part: RefusedPart;

  constructor(code: number, part: RefusedPart) {
    super(`The ${part} of the mail was refused for good (SMTP ${code})`);
    this.code = code;
    this.part = part;
  }
}

/** Does not connect yet: each mail uses its own connection. */
export function createMailer({ smtpUrl, from, replyTo, requireTls }: MailerOptions): Mailer {
  const domain = domainOf(from) ?? 'localhost';
  return {
    async send({ id, to, replyTo: ownReplyTo, unsubscribeUrl, beforeEnd, ...content }) {
      const transport = openTransport({ smtpUrl, requireTls });
      if (beforeEnd) askBeforeEnd(transport, beforeEnd);
      const mail = {
        ...content,
        from,
        // As objects: a string would be read as a list of addresses.
        replyTo: { name: '', address: ownReplyTo ?? replyTo },
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw describe(error);
      });
    },
  };
}

/**
 * Makes the transport call `ask` at the end of each mail. Nodemailer reads the mail while it connects, but this stream
 * only when the server has asked for the content.
 */
function askBeforeEnd(transport: Transporter, ask: () => Promise<void>): void {
  async function* withQuestion(mail: Readable) {
    yield* mail;
    await ask();
  }
  transport.use('stream', ({ message }, done) => {
    message.processFunc((mail) => Readable.from(withQuestion(mail), { objectMode: false }));
    done();
  });
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Removes the server's text from an error that will be logged, because it often contains the address. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', command = '', response, responseCode } = error as SmtpError;
  if (!response || !responseCode) return error;
  const part = finallyRefusedPart(command, response, responseCode);
  if (part) return new MailRefusedError(responseCode, part);
  return new Error(`SMTP: ${command} was answered with ${responseCode} (${code})`);
}

/**
 * What a final rejection concerns; null for another one. A rejection of the sender, the password or the
 * permission to send through this server (5.7.x before the content) is our configuration error: the mail
 * waits until it is fixed.
 */
function finallyRefusedPart(command: string, response: string, code: number): RefusedPart | null {
  if (code < 500 || code > 599) return null;
  if (command === 'DATA') return 'content';
  const isOurs = code === 530 || /^\d{3}[ -]5[.]7[.]/.test(response);
  return command === 'RCPT TO' && !isOurs ? 'recipient' : null;
}

/** The domain of `Name <address>` or of an address. */
export function domainOf(from: string): string | undefined {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1];
}

/** The result of a check of the SMTP server. */
export type MailServerAnswer =
  | { kind: 'ready' }
  /** It rejects our user and password. */
  | { kind: 'refused'; code: number | null }
  | { kind: 'no_tls' }
  | { kind: 'away'; reason: string };

interface TransportOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  smtpUrl: string;
  /** Refuse to send in clear text, except to this machine. `?requireTLS=false` in the URL undoes it. */
  requireTls: boolean;
}

/** Connects, starts TLS and signs in as for a mail, without sending one. */
export async function checkMailServer(options: TransportOptions): Promise<MailServerAnswer> {
  const transport = openTransport(options);
  try {
    await transport.verify();
    return { kind: 'ready' };
  } catch (error) {
    const { code = '', responseCode = null } = error as { code?: string; responseCode?: number };
    if (code === 'EAUTH' || code === 'ENOAUTH') return { kind: 'refused', code: responseCode };
    if (code === 'ETLS' || /certificate|TLS|SSL/i.test(String(error))) return { kind: 'no_tls' };
    return { kind: 'away', reason: responseCode ? `SMTP ${responseCode}` : code || 'no answer' };
  } finally {
    transport.close();
  }
}

// Every step of an SMTP session has a timeout, so that a silent server does not block a worker.
const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
const LOOPBACK = /^(localhost|127[.]\d+[.]\d+[.]\d+|\[::1\])$/;

/** Does not connect yet: each mail uses its own connection. */
function openTransport({ smtpUrl, requireTls }: TransportOptions): Transporter {
  return createTransport({
    requireTLS: requireTls && !LOOPBACK.test(new URL(smtpUrl).hostname),
    ...TIMEOUTS,
    url: smtpUrl,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface SenderRecords {
  /** Whether the domain receives mail, so that a reply or a bounce arrives. */
  mx: boolean;
  /** Whether the domain has an SPF record, which lists who may send for it. */
  spf: boolean;
}

const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/** Looks up the DNS records of a sender's domain; null when the DNS does not answer. */
export async function findSenderRecords(domain: string): Promise<SenderRecords | null> {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  const [mx, txt] = await Promise.allSettled([dns.resolveMx(domain), dns.resolveTxt(domain)]);
  const answered = [mx, txt].every(
    ({ status, ...rest }) =>
      status === 'fulfilled' || NONE.has((rest as { reason: { code: string } }).reason.code),
  );
  if (!answered) return null;
  const texts = txt.status === 'fulfilled' ? txt.value.map((parts) => parts.join('')) : [];
  return {
    mx: mx.status === 'fulfilled' && mx.value.length > 0,
    spf: texts.some((text) => /^v=spf1\b/i.test(text)),
  };
}
