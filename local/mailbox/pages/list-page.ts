import { escapeHtml } from '@proveklar/services/mail/format.ts';
import type { IdentityLink } from '../identity-links.ts';
import type { KeptMail } from '../kept-mails.ts';
import { page, timeElement } from './page.ts';

interface Entry {
  at: Date;
  url: string;
  subject: string;
  to: string;
  note?: string;
}

/** All mails and links of the identity emulator, newest first. */
export function listPage(mails: KeptMail[], links: IdentityLink[]): string {
  const entries: Entry[] = [...mails.map(mailEntry), ...links.map(linkEntry)];
  const newestFirst = entries.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const list =
    newestFirst.length > 0 ? `<ul class="mails">${newestFirst.map(item).join('')}</ul>` : EMPTY;
  return page('All mails', `<h1>All mails</h1>\n${list}`, { script: true });
}

const EMPTY =
  '<p>No mail yet. Pay for something, or ask for a new password: it appears here by itself.</p>';

function mailEntry({ id, at, subject, to }: KeptMail): Entry {
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
