import { join } from 'node:path';
import { buildMailboxApp } from './app.ts';
import { pollIdentityLinks, type IdentityAddress } from './identity-links.ts';
import { openMailStore } from './mail-store.ts';
import { type SmtpCatcher, startSmtpCatcher } from './smtp.ts';

export interface MailboxOptions {
  /** A loopback address, `127.0.0.1` by default. */
  host?: string;
  /** Allows an address other than loopback: in a container, the published ports decide who has access. */
  inContainer?: boolean;
  /** The port of the pages; 0 chooses a free port. */
  port: number;
  /** The SMTP port; 0 chooses a free port. */
  smtpPort: number;
  /** The folder where mails are stored between runs. */
  dataDir: string;
  /** The identity emulator whose links are shown too. */
  identity?: IdentityAddress | undefined;
  /** The page to sign in at after choosing a password. */
  productUrl: string;
}

export interface Mailbox extends Pick<SmtpCatcher, 'refuse'> {
  /** `http://127.0.0.1:<port>`: the pages, and `/mails.json`. */
  url: string;
  smtpUrl: string;
  close: () => Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts the local mailbox, an SMTP server that accepts, stores and shows every mail and forwards none.
 *
 * @throws Error in production, for an address other than loopback, and when a port is taken
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const { host = '127.0.0.1', inContainer = false, port, smtpPort, dataDir } = options;
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      'The mailbox does not start with NODE_ENV=production: it delivers no mail. ' +
        'Set SMTP_URL to a mail server.',
    );
  }
  if (!inContainer && !LOOPBACK.has(host)) {
    throw new Error(`The mailbox listens on loopback only, not on ${host}.`);
  }
  const mails = await openMailStore(join(dataDir, 'mails'));
  const smtp = await startSmtpCatcher({ host, port: smtpPort, onMail: mails.add });
  const links = options.identity && pollIdentityLinks(options.identity);
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
