import { escapeHtml } from '@proveklar/services/mail/format.ts';
import type { IdentityLink } from '../identity-links.ts';
import { page, timeElement } from './page.ts';

/**
 * A link of the identity provider. For a new password it asks for one, as the provider's own page
 * does in production: the emulator's page only tells programs what to send.
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
${link.usable ? action(link, complaint) : '<p>This link was used, or has run out.</p>'}
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
