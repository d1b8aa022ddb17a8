import { Resolver } from 'node:dns/promises';
import { createTransport, type Transporter } from 'nodemailer';
import type { MailContent } from './compose-mail.ts';

export interface OutgoingMail extends MailContent {
  /** One address, as it is: no name, no list. */
  to: string;
  /** Where answers go; by default to the installation's own address. */
  replyTo?: string | null;
  /** The same on every try, so that a mail that arrives twice can be recognised as one. */
  id: string;
}

export interface Mailer {
  /**
   * Hands a mail to the SMTP server.
   *
   * @throws MailRefusedError when this mail will never be taken; any other error may pass
   */
  send: (mail: OutgoingMail) => Promise<void>;
}

interface MailerOptions extends TransportOptions {
  /** `Name <address>` or an address. */
  from: string;
  /** Where answers go unless a mail says otherwise. */
  replyTo: string;
}

/** The receiving server said for good that it does not take this mail. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
  /** SMTP's reply code, 500 to 599. */
  readonly code: number;

  constructor(code: number) {
    super(`The mail was refused for good (SMTP ${code})`);
    this.code = code;
  }
}

/** Opens nothing yet: each mail is a connection of its own. */
export function createMailer({ smtpUrl, from, replyTo, requireTls }: MailerOptions): Mailer {
  const transport = openTransport({ smtpUrl, requireTls });
  const domain = domainOf(from) ?? 'localhost';
  return {
    async send({ id, to, replyTo: ownReplyTo, ...content }) {
      const mail = {
        ...content,
        from,
        // As objects: a string would be read as a list of addresses.
        replyTo: { name: '', address: ownReplyTo ?? replyTo },
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw describe(error);
      });
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** The same failure without the server's words, which often carry the address: it will be logged. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', command = '', response, responseCode } = error as SmtpError;
  if (!response || !responseCode) return error;
  if (isFinal(command, response, responseCode)) return new MailRefusedError(responseCode);
  return new Error(`SMTP: ${command} was answered with ${responseCode} (${code})`);
}

/**
 * Whether it is about this recipient or these contents. About the sender, the password or our right
 * to send through this server (5.7.x before the contents): that is ours to mend, and the mail waits.
 */
function isFinal(command: string, response: string, code: number): boolean {
  if (code < 500 || code > 599) return false;
  if (command === 'RCPT TO') return code !== 530 && !/^\d{3}[ -]5[.]7[.]/.test(response);
  return command === 'DATA';
}

/** The domain of `Name <address>` or of an address. */
export function domainOf(from: string): string | undefined {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1];
}

/** What the SMTP server says to us. */
export type MailServerAnswer =
  | { kind: 'ready' }
  /** It does not take our user and password. */
  | { kind: 'refused'; code: number | null }
  | { kind: 'no_tls' }
  | { kind: 'away'; reason: string };

interface TransportOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  smtpUrl: string;
  /** Refuse to send in clear text, except to this machine. `?requireTLS=false` in the URL undoes it. */
  requireTls: boolean;
}

/** Connects, begins TLS and signs in as for a mail, and sends none. */
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

// Every step of a conversation has its bound, so that a silent server does not hold a worker.
const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
const LOOPBACK = /^(localhost|127[.]\d+[.]\d+[.]\d+|\[::1\])$/;

/** Opens nothing yet: each mail is a connection of its own. */
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
  /** Whether the domain takes mail, so that an answer or a bounce arrives. */
  mx: boolean;
  /** Whether the domain says who may send in its name. */
  spf: boolean;
}

const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/** What the DNS says of a sender's domain; null when it does not answer. */
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
