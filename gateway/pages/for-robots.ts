import escapeHtml from 'escape-html';
import { PRERENDERED, SHARED_SHELLS } from '@proveklar/contract/page.ts';

/** The path that RFC 9116 defines. */
export const SECURITY_TXT = '/.well-known/security.txt';

/** Lets crawlers read the public pages only. */
export function robotsTxt(publicUrl: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    '',
    `Sitemap: ${new URL('/sitemap.xml', publicUrl).href}`,
    '',
  ].join('\n');
}

/** Lists the public pages in both languages. */
export function sitemapXml(publicUrl: string): string {
  const paths = [...Object.keys(PRERENDERED), ...SHARED_SHELLS.map((name) => `/${name}`)];
  const pages = paths.map((path) => {
    const no = escapeHtml(new URL(path, publicUrl).href);
    const en = escapeHtml(new URL(`${path}?lng=en`, publicUrl).href);
    const links = `<xhtml:link rel="alternate" hreflang="nb" href="${no}"/><xhtml:link rel="alternate" hreflang="en" href="${en}"/>`;
    return [no, en].map((address) => `<url><loc>${address}</loc>${links}</url>`).join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${pages.join('\n')}
</urlset>
`;
}

/** RFC 9116 recommends less than a year. Counted from the start of the gateway, so each release renews it. */
const SECURITY_TXT_DAYS = 300;
const DAY_MS = 86_400_000;

/** The `Expires` of a gateway that started at `startedAt`. */
export function securityTxtExpiry(startedAt: Date): Date {
  return new Date(startedAt.getTime() + SECURITY_TXT_DAYS * DAY_MS);
}

/**
 * The security.txt of RFC 9116: whom to report vulnerabilities to. It includes our rules, for readers
 * who cannot see the source.
 *
 * @param contact an address or an `https://` page
 */
export function securityTxt(
  { contact, expires }: { contact: string; expires: Date },
  publicUrl: string,
): string {
  const address = contact.startsWith('https://') ? contact : `mailto:${encodeURI(contact)}`;
  return [
    '# Har du funnet et sikkerhetshull? Skriv til oss, på norsk eller engelsk. Du får svar innen fem virkedager.',
    '# Hvis du bare bruker dine egne kontoer, ikke tar ut data om andre og ikke forstyrrer tjenesten,',
    '# anmelder vi deg ikke. Gi oss 90 dager før du forteller om det til andre.',
    '#',
    '# Have you found a weakness? Write to us, in Norwegian or English. You get an answer within five working days.',
    '# If you use only your own accounts, take out no data about others and do not disturb the service,',
    '# we will not report you. Give us 90 days before you tell others about it.',
    `Contact: ${address}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: no, en',
    `Canonical: ${new URL(SECURITY_TXT, publicUrl).href}`,
    '',
  ].join('\n');
}
