// Not in the text files, which may be what is missing.
const words = {
  nb: { text: 'Vi fikk ikke lastet hele siden. ', reload: 'Last siden på nytt' },
  en: { text: 'We could not load the whole page. ', reload: 'Load the page again' },
};

/** Says that a file of the page's code could not be loaded, so that the page does not react. */
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
