// Sets the chosen language and colour scheme of the offline page before it is painted. The same order as
// elsewhere: the address, the cookie, storage, the browser's languages.
const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
const stored = (storage) => {
  try {
    return window[storage].getItem('i18nextLng');
  } catch {
    return null;
  }
};
const wanted = [
  new URLSearchParams(location.search).getAll('lng').at(-1),
  cookie('i18next'),
  stored('localStorage'),
  stored('sessionStorage'),
  ...navigator.languages,
];
const codes = wanted.map((code) => (code ?? '').toLowerCase().split(/[-_]/)[0]);
const known = codes.find((code) => ['nb', 'nn', 'no', 'en'].includes(code));
document.documentElement.lang = known === 'en' ? 'en' : 'nb';

const scheme = cookie('colour-scheme');
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.colorScheme = scheme;

/** Says what is missing: the network of this device, or an answer of the service. */
function show() {
  const missing = navigator.onLine ? 'service' : 'network';
  document.documentElement.dataset.missing = missing;
  const heading = document.querySelector(
    `main:lang(${document.documentElement.lang}) h1.no-${missing}`,
  );
  if (heading) document.title = `${heading.textContent} – Prøveklar`;
}
show();
addEventListener('DOMContentLoaded', show);
addEventListener('offline', show);
addEventListener('online', () => location.reload());

/** Milliseconds; with as much jitter, so that not all come back at once. */
const PROBE_INTERVAL_MS = 5_000;

// Any response means that the service is back, or the proxy before it, which has a page of its own. Not for this script,
// which the service worker keeps.
async function probe() {
  const isBack = await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (isBack) location.reload();
  else probeLater();
}
function probeLater() {
  setTimeout(probe, PROBE_INTERVAL_MS * (1 + Math.random()));
}
probeLater();

// The content security policy allows no style in the page, but its script may make one. The colours are
// those of the theme.
const dark =
  'color-scheme: dark; --page: #0b1720; --text: #d5dde2; --head: #cfe6f4; --mark: #86c5e8; --on-mark: #06202f;';
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:root { color-scheme: light; --page: #f6f8f9; --text: #262c31; --head: #092e43; --mark: #0f4a6b; --on-mark: #fff; }
@media (prefers-color-scheme: dark) { :root:not([data-color-scheme='light']) { ${dark} } }
:root[data-color-scheme='dark'] { ${dark} }
body { margin: 0; min-height: 100dvh; display: grid; align-content: center; background: var(--page); color: var(--text);
  font: 1.0625rem/1.55 Inter, system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
main { box-sizing: border-box; width: 100%; max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; text-align: center;
  overflow-wrap: break-word; }
html[lang=nb] main:lang(en), html[lang=en] main:lang(nb) { display: none; }
html[data-missing=network] .no-service, html[data-missing=service] .no-network { display: none; }
svg { width: 15rem; max-width: 100%; color: var(--mark); }
h1 { margin: 1.5rem 0 0; color: var(--head); font-size: clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem); line-height: 1.15;
  letter-spacing: -0.02em; }
p { margin: 1rem 0 0; text-wrap: pretty; }
a { display: inline-block; margin-top: 2rem; padding: 0.75rem 1.5rem; border-radius: 8px; background: var(--mark);
  color: var(--on-mark); font-weight: 500; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; }
`);
document.adoptedStyleSheets = [sheet];
