import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { IdentityAddress } from '@proveklar/local/mailbox/identity-links.ts';
import type { StoredMail } from '@proveklar/local/mailbox/mail-store.ts';
import { startMailbox, type Mailbox } from '@proveklar/local/mailbox/server.ts';

/** A mail as the mailbox's JSON API returns it. */
export type SeenMail = Omit<StoredMail, 'at'> & { at: string };

/** A test file's own mailbox. Use it inside tests and hooks only. */
export interface TestMailbox extends Pick<Mailbox, 'url' | 'smtpUrl' | 'refuse'> {
  /** The mails to an address, newest first. */
  mailsTo: (email: string) => Promise<SeenMail[]>;
}

/**
 * The local mailbox on ports of its own: a real SMTP server, which can be told to refuse.
 *
 * @param identity gives the emulator whose links the mailbox shows; called once
 */
export function useTestMailbox(identity?: () => Promise<IdentityAddress>): TestMailbox {
  let mailbox: Mailbox | undefined;
  let dataDir: string | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'proveklar-mailbox-'));
    mailbox = await startMailbox({
      port: 0,
      smtpPort: 0,
      dataDir,
      identity: await identity?.(),
      productUrl: 'http://127.0.0.1:3000',
    });
  });
  afterEach(() => mailbox?.refuse(null));
  afterAll(async () => {
    await mailbox?.close();
    if (dataDir) await rm(dataDir, { recursive: true });
  });
  const opened = () => {
    if (!mailbox) throw new Error('Use the mailbox inside tests and hooks only.');
    return mailbox;
  };
  return {
    get url() {
      return opened().url;
    },
    get smtpUrl() {
      return opened().smtpUrl;
    },
    refuse: (code, part) => opened().refuse(code, part),
    mailsTo: (email) => mailsTo(opened().url, email),
  };
}

/** The mails to an address in the mailbox at `url`, newest first. */
export async function mailsTo(url: string, email: string): Promise<SeenMail[]> {
  const response = await fetch(`${url}/mails.json`);
  const mails = (await response.json()) as SeenMail[];
  return mails.filter((mail) => mail.to.includes(email.toLowerCase()));
}
