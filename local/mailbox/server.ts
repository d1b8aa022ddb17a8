import { join } from 'node:path';
import { buildMailboxApp } from './app.ts';
import { watchIdentityLinks, type IdentityAddress } from './identity-links.ts';
import { openKeptMails } from './kept-mails.ts';
import { startSmtpCatcher } from './smtp.ts';

export interface MailboxOptions {
  /** A loopback address, `127.0.0.1` by default. */
  host?: string;
  /** In a container every address is the container's own; what is published decides who gets in. */
  inContainer?: boolean;
  /** Of the pages; 0 takes a free port. */
  port: number;
  /** Where mails are taken; 0 takes a free port. */
  smtpPort: number;
  /** Where mails are kept between runs. */
  dataDir: string;
  /** The identity emulator, whose links are shown too. */
  identity?: IdentityAddress | undefined;
  /** Where to sign in after a new password was chosen. */
  productUrl: string;
}

export interface Mailbox {
  /** `http://127.0.0.1:<port>`: the pages, and `/mails.json`. */
  url: string;
  smtpUrl: string;
  /** Answers every recipient with this SMTP code from now on; null takes mails again. */
  refuse: (code: number | null) => void;
  close: () => Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts the local mailbox: it takes every mail, keeps it and shows it, and sends nothing on.
 *
 * @throws Error in production, for an address other than loopback, and when a port is taken
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const { host = '127.0.0.1', inContainer = false, port, smtpPort, dataDir } = options;
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      'The mailbox does not start with NODE_ENV=production: mails that it takes reach nobody. ' +
        'Set SMTP_URL to a mail server.',
    );
  }
  if (!inContainer && !LOOPBACK.has(host)) {
    throw new Error(`The mailbox listens on loopback only, not on ${host}.`);
  }
  const mails = await openKeptMails(join(dataDir, 'mails'));
  const smtp = await startSmtpCatcher({ host, port: smtpPort, onMail: mails.add });
  const links = options.identity && watchIdentityLinks(options.identity);
  const app = buildMailboxApp({ mails, links, productUrl: options.productUrl });
  const close = async () => {
    links?.close();
    await app.close();
    await smtp.close();
  };
  try {
    const url = await app.listen({ port, host });
    return { url, smtpUrl: smtp.url, refuse: smtp.refuse, close };
  } catch (error) {
    await close();
    throw error;
  }
}
