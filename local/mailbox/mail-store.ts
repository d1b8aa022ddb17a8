import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export interface StoredMail {
  id: string;
  at: Date;
  from: string;
  /** The recipients of the SMTP envelope, which may differ from the headers. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: { name: string; value: string }[];
}

export interface KeptMails {
  add: (raw: Buffer, recipients: string[]) => Promise<void>;
  /** Newest first. */
  list: () => StoredMail[];
}

const MAX_MAILS = 500;
const FILE = /^(?<time>\d{13})-[0-9a-f]{8}[.]eml$/;

/** Opens a folder of mails, each stored unchanged in its own file. Beyond the maximum, the oldest are deleted. */
export async function openMailStore(dir: string): Promise<KeptMails> {
  mkdirSync(dir, { recursive: true });
  const files = readdirSync(dir)
    .filter((name) => FILE.test(name))
    .toSorted();
  const mails = await Promise.all(files.map((name) => parse(name, readFileSync(join(dir, name)))));

  const makeRoom = () => {
    for (const { id } of mails.splice(0, mails.length - MAX_MAILS)) rmSync(join(dir, `${id}.eml`));
  };
  makeRoom();
  return {
    list: () => mails.toReversed(),
    add: async (raw, recipients) => {
      const name = `${Date.now()}-${randomBytes(4).toString('hex')}.eml`;
      const delivered = recipients.map((address) => `Delivered-To: ${address}\r\n`).join('');
      const contents = Buffer.concat([Buffer.from(delivered), raw]);
      // Writes a new file and renames it: a process that is killed in between leaves no partial mail.
      writeFileSync(join(dir, `${name}.new`), contents);
      renameSync(join(dir, `${name}.new`), join(dir, name));
      mails.push(await parse(name, contents));
      makeRoom();
    },
  };
}

async function parse(file: string, raw: Buffer): Promise<StoredMail> {
  const mail = await PostalMime.parse(raw);
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value }));
  const { name = '', address = '' } = mail.from ?? {};
  return {
    id: file.replace('.eml', ''),
    at: new Date(Number(FILE.exec(file)?.groups?.time)),
    from: name ? `${name} <${address}>` : address,
    to: headers.filter(({ name }) => name === 'Delivered-To').map(({ value }) => value),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    messageId: mail.messageId ?? '',
    headers,
  };
}
