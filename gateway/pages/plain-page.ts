import { createHash } from 'node:crypto';
import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';

/** Its own style: these pages must not need a build of the frontend, which may be what is missing. */
const STYLE = `:root{color-scheme:light dark;background:light-dark(#f6f8fa,#0b1620);color:light-dark(#0b2a3c,#eef3f6);font:1.125rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:36rem;padding:1.5rem 1rem 3rem}
h1{margin:1.5rem 0 .5rem;font-size:2rem;line-height:1.2}
p{margin:.5rem 0}
dl{margin:1.5rem 0;padding:.25rem 1rem;border:1px solid #8886;border-radius:12px;background:light-dark(#fff,#14242e)}
dl>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.75rem 0}
dl>div+div{border-top:1px solid #8886}
dt{font-weight:600}dd{margin:0 0 0 auto;text-align:end}
.up{color:light-dark(#0b6b32,#6fdc95)}.degraded{color:light-dark(#8a5300,#f5b95c)}.down{color:light-dark(#b3261e,#ff9d94)}
time{color:light-dark(#4a5660,#b3bec6)}dd time{display:block;font-size:1rem}
a{display:inline-block;padding:.375rem 0;color:inherit}.ways{display:flex;flex-wrap:wrap;gap:0 1.5rem}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Of every plain page: nothing but its own style may load. */
export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  vary: 'Accept-Language, Cookie',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

interface PlainPage {
  language: AppLanguage;
  title: string;
  /** HTML below the heading. */
  content: string;
}

/** A page of the gateway itself, without the frontend and without the database. */
export function plainPage({ language, title, content }: PlainPage): string {
  return `<!doctype html>
<html lang="${languageTag(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Prøveklar</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<strong>Prøveklar</strong>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

const ERRORS = {
  no: {
    busy: ['Vi får ikke vist siden nå', 'Mange øver akkurat nå, eller noe er nede hos oss.'],
    limited: ['For mange sider på kort tid', 'Vent litt før du prøver igjen.'],
    failed: ['Noe gikk galt', 'Det er ikke din feil.'],
    kept: 'Hvis du har svart på noe, er svarene tatt vare på.',
    again: 'Prøv igjen',
    status: 'Se hva som virker',
  },
  en: {
    busy: [
      'We cannot show the page now',
      'Many people are practising, or something of ours is down.',
    ],
    limited: ['Too many pages in a short time', 'Wait a little before you try again.'],
    failed: ['Something went wrong', 'It is not your fault.'],
    kept: 'If you have answered anything, your answers are kept.',
    again: 'Try again',
    status: 'See what works',
  },
} as const;

/** The page in place of one that could not be sent. `status`: of HTTP. */
export function errorPage(status: number, language: AppLanguage): string {
  const t = ERRORS[language];
  const [title, text] = status === 429 ? t.limited : status === 503 ? t.busy : t.failed;
  return plainPage({
    language,
    title,
    content: `<p>${text} ${t.kept}</p>\n<p class="ways"><a href="">${t.again}</a><a href="/status">${t.status}</a></p>`,
  });
}
