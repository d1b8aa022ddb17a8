import { escapeHtml } from '@proveklar/services/mail/format.ts';
import type { KeptMail } from '../kept-mails.ts';
import { page, timeElement } from './page.ts';

/** One mail: its HTML part in a frame that runs nothing, its text part, its headers. */
export function mailPage(mail: KeptMail): string {
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

/** The HTML part as the frame gets it: as it came, but its links open beside the mailbox. */
export function mailHtml({ html }: Pick<KeptMail, 'html'>): string {
  const head = /<head[^>]*>/i;
  return head.test(html)
    ? html.replace(head, (tag) => `${tag}${NEW_TAB}`)
    : `<!doctype html>${NEW_TAB}${html}`;
}
