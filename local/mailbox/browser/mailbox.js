// Polls for new mails. Does not update the list while it has the keyboard focus, which would be lost.
const POLL_INTERVAL_MS = 2_000;

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
  // The stack may be stopped, and may start again.
  refresh().catch(() => {});
}, POLL_INTERVAL_MS);
