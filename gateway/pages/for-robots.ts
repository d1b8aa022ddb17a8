import { PRERENDERED, SHARED_SHELLS } from '#contract/page.ts';
import { escapeHtml } from '#contract/escape-html.ts';

/** What crawlers may read. Nothing but the public pages has anything for them. */
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

/** The public pages, each with its other language. */
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
