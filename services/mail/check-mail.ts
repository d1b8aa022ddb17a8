import { Resolver } from 'node:dns/promises';
import { openTransport, type TransportOptions } from './transport.ts';

/** What the SMTP server says to us. */
export type MailServerAnswer =
  | { kind: 'ready' }
  /** It does not take our user and password. */
  | { kind: 'refused'; code: number | null }
  | { kind: 'no_tls' }
  | { kind: 'away'; reason: string };

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

export interface SenderRecords {
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
