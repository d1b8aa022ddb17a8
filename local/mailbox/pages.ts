import escapeHtml from 'escape-html';
import type { IdentityLink } from './identity-links.ts';
import type { StoredMail } from './mail-store.ts';

interface Entry {
  at: Date;
  url: string;
  subject: string;
  to: string;
  note?: string;
}

/** The page with all mails and links of the identity emulator, newest first. */
export function listPage(mails: StoredMail[], links: IdentityLink[]): string {
  const entries: Entry[] = [...mails.map(mailEntry), ...links.map(linkEntry)];
  const newestFirst = entries.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const list =
    newestFirst.length > 0 ? `<ul class="mails">${newestFirst.map(item).join('')}</ul>` : EMPTY;
  return page('All mails', `<h1>All mails</h1>\n${list}`, { script: true });
}

const EMPTY =
  '<p>No mail yet. Pay for something, or ask for a new password: it appears here without a reload.</p>';

function mailEntry({ id, at, subject, to }: StoredMail): Entry {
  return { at, url: `/mails/${id}`, subject: subject || '(no subject)', to: to.join(', ') };
}

function linkEntry({ code, at, subject, to, usable }: IdentityLink): Entry {
  const note = usable ? 'sign-in service' : 'sign-in service, used';
  return { at, url: `/links/${encodeURIComponent(code)}`, subject, to, note };
}

function item({ at, url, subject, to, note }: Entry): string {
  const badge = note ? ` <span class="badge">${escapeHtml(note)}</span>` : '';
  return `<li><a href="${escapeHtml(url)}">${escapeHtml(subject)}</a>${badge}
<span class="to">To ${escapeHtml(to)}</span> ${timeElement(at)}</li>`;
}

/** The page of a mail: its HTML part in a frame without scripts, its text part, its headers. */
export function mailPage(mail: StoredMail): string {
  const { id, at, from, to, subject, text, html, headers } = mail;
  const title = subject || '(no subject)';
  const frame = `<iframe title="The mail as HTML" src="/mails/${id}/html"
 sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  const rows = headers.map(
    ({ name, value }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<dl>
<dt>From</dt><dd>${escapeHtml(from)}</dd>
<dt>To</dt><dd>${escapeHtml(to.join(', '))}</dd>
<dt>Taken</dt><dd>${timeElement(at)}</dd>
</dl>
<h2>HTML</h2>
${html ? frame : '<p>This mail has no HTML part.</p>'}
<h2>Plain text</h2>
${text ? `<pre tabindex="0">${escapeHtml(text)}</pre>` : '<p>This mail has no text part.</p>'}
<details>
<summary>Headers</summary>
<table>${rows.join('')}</table>
</details>
<p><a href="/">All mails</a></p>`,
  );
}

const NEW_TAB = '<base target="_blank">';

/** The HTML part for the frame: unchanged, except that links open in a new tab. */
export function mailHtml({ html }: Pick<StoredMail, 'html'>): string {
  const head = /<head[^>]*>/i;
  return head.test(html)
    ? html.replace(head, (tag) => `${tag}${NEW_TAB}`)
    : `<!doctype html>${NEW_TAB}${html}`;
}

/**
 * The page of a link of the identity provider. For a new password it has a form, as the provider's page does
 * in production; the emulator's page has none.
 */
export function linkPage(link: IdentityLink, complaint?: string): string {
  const { subject, to, at } = link;
  return page(
    subject,
    `<h1>${escapeHtml(subject)}</h1>
<dl>
<dt>From</dt><dd>the sign-in service (in production Firebase mails this)</dd>
<dt>To</dt><dd>${escapeHtml(to)}</dd>
<dt>Seen</dt><dd>${timeElement(at)}</dd>
</dl>
${link.usable ? action(link, complaint) : '<p>This link was used, or has expired.</p>'}
<p><a href="/">All mails</a></p>`,
  );
}

function action({ url, code, subject, asksPassword }: IdentityLink, complaint = ''): string {
  if (!asksPassword) return `<p><a href="${escapeHtml(url)}">${escapeHtml(subject)}</a></p>`;
  const invalid = complaint ? ' aria-invalid="true" aria-describedby="complaint"' : '';
  return `<form method="post" action="/links/${encodeURIComponent(code)}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="6" required${invalid}>
${complaint ? `<p id="complaint" role="alert">${escapeHtml(complaint)}</p>` : ''}
<button type="submit">Set the password</button>
</form>
<details>
<summary>The emulator's own address, for programs</summary>
<pre tabindex="0">${escapeHtml(url)}</pre>
</details>`;
}

const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f4a6b"/>' +
  '<circle cx="10" cy="9.5" r="3.5" fill="#f0a13c"/><path d="M6 18.5 12.5 25 26 9.5" fill="none" ' +
  'stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** A page of the mailbox. `contents` is HTML. */
function page(title: string, contents: string, { script = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Prøveklar mailbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/mailbox.css">
${script ? '<script src="/mailbox.js" defer></script>' : ''}
</head>
<body>
<header>
<a class="home" href="/">${MARK} Mailbox</a>
<p>What the product mails on this machine. Nothing leaves it.</p>
</header>
<main>
${contents}
</main>
</body>
</html>
`;
}

/** A page with one message and a link. */
export function messagePage(
  title: string,
  message: string,
  next = { text: 'All mails', url: '/' },
): string {
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
<p><a href="${escapeHtml(next.url)}">${escapeHtml(next.text)}</a></p>`,
  );
}

/** A `time` element, which is machine-readable too. */
function timeElement(at: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return `<time datetime="${at.toISOString()}">${text.format(at)}</time>`;
}
