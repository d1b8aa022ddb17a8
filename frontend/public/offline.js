// Of the page for being offline, before it is painted: the language and the colours that were chosen.
// The same order as everywhere: asked for, cookie, storage, the browser's own.
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

addEventListener('online', () => location.reload());
addEventListener('DOMContentLoaded', () => {
  const text = document.querySelector(`main:lang(${document.documentElement.lang})`);
  document.title = `${text.querySelector('h1').textContent} – Prøveklar`;
});
