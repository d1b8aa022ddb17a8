import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { mailPasswordLink } from '@proveklar/services/mail-templates/password-link.ts';
import type { TestGateway } from './gateway.ts';

export interface PasswordMail extends OutgoingMail {
  /** From its link; null without one. */
  token: string | null;
}

const ADDRESSES = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };

/**
 * Mails the requested links to an address as the workers do, and returns the mails, oldest first. Each is
 * mailed once.
 */
export async function sendPasswordMails(
  { deps }: Pick<TestGateway, 'deps'>,
  email: string,
): Promise<PasswordMail[]> {
  const { rows } = await deps.db.query<{ id: string }>(
    'select id from password_request where email = lower($1) order by created_at',
    [email],
  );
  const sent: PasswordMail[] = [];
  const mailer = {
    send: async (mail: OutgoingMail) => void sent.push({ ...mail, token: tokenIn(mail.text) }),
  };
  const mailDeps = { db: deps.db, identity: deps.identity, mailer, addresses: ADDRESSES };
  for (const { id } of rows) await mailPasswordLink(mailDeps, { id, payload: { request_id: id } });
  return sent;
}

/** The token of the link in a mail; null without one. */
export function tokenIn(text: string): string | null {
  return /\/nytt-passord#token=([\w-]+)/.exec(text)?.[1] ?? null;
}

/** Chooses a password by the newest link to an address. */
export async function choosePasswordByMail(
  gateway: TestGateway,
  email: string,
  password: string,
): Promise<void> {
  const token = (await sendPasswordMails(gateway, email)).at(-1)?.token;
  if (!token) throw new Error(`No link to choose a password was mailed to ${email}`);
  const answer = await gateway.call('POST', '/password/choose', { body: { token, password } });
  if (answer.status !== 200) throw new Error(`The password was refused: ${answer.body.code}`);
}
