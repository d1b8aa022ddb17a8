// Shows new mails by itself. While somebody has the focus in the list, it stays as it is: otherwise
// a keyboard would lose its place.
const EVERY_MS = 2_000;

async function refresh() {
  const main = document.querySelector('main');
  if (document.hidden || main.contains(document.activeElement)) return;
  const response = await fetch('/');
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const contents = fresh.querySelector('main').innerHTML;
  if (contents !== main.innerHTML) main.innerHTML = contents;
}

setInterval(() => {
  // The stack may have been stopped; it may come back.
  refresh().catch(() => {});
}, EVERY_MS);
