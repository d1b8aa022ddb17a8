import { escapeHtml } from '@proveklar/services/mail/format.ts';

const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f4a6b"/>' +
  '<circle cx="10" cy="9.5" r="3.5" fill="#f0a13c"/><path d="M6 18.5 12.5 25 26 9.5" fill="none" ' +
  'stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** A page of the mailbox around its contents, which are HTML already. */
export function page(title: string, contents: string, { script = false } = {}): string {
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

/** A page that says one thing, and where to go on. */
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

/** A time as an element that says it to programs, too. */
export function timeElement(at: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return `<time datetime="${at.toISOString()}">${text.format(at)}</time>`;
}
