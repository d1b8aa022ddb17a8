// Not among the texts, which may be what is missing.
const words = {
  nb: { text: 'Vi fikk ikke lastet hele siden. ', reload: 'Last siden på nytt' },
  en: { text: 'We could not load the whole page. ', reload: 'Load the page again' },
};

/** The page can be read, but nothing on it answers: a file did not come through. */
export function sayThatCodeIsMissing(root: HTMLElement): void {
  const { text, reload } = words[document.documentElement.lang === 'en' ? 'en' : 'nb'];
  const note = document.createElement('p');
  note.role = 'alert';
  note.className = 'missing-code';
  const link = document.createElement('a');
  link.href = window.location.href;
  link.className = 'ds-link';
  link.textContent = reload;
  note.append(text, link);
  root.before(note);
}
