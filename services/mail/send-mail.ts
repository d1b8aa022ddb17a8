import type { MailContent } from './compose-mail.ts';
import { domainOf, openTransport, type TransportOptions } from './transport.ts';

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

export interface MailerOptions extends TransportOptions {
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
