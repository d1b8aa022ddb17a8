import { createTransport, type Transporter } from 'nodemailer';

export interface TransportOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  smtpUrl: string;
  /** Refuse to send in clear text, except to this machine. `?requireTLS=false` in the URL undoes it. */
  requireTls: boolean;
}

// Every step of a conversation has its bound, so that a silent server does not hold a worker.
const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
const LOOPBACK = /^(localhost|127[.]\d+[.]\d+[.]\d+|\[::1\])$/;

/** Opens nothing yet: each mail is a connection of its own. */
export function openTransport({ smtpUrl, requireTls }: TransportOptions): Transporter {
  return createTransport({
    requireTLS: requireTls && !LOOPBACK.test(new URL(smtpUrl).hostname),
    ...TIMEOUTS,
    url: smtpUrl,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The domain of `Name <address>` or of an address. */
export function domainOf(from: string): string | undefined {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1];
}
