import escapeHtml from 'escape-html';
import type { AppLanguage } from '@proveklar/contract/language.ts';

/** A composed mail. Both parts have the same content. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** Accepts the one-click POST of RFC 8058, so that mail programs can offer to unsubscribe. */
  unsubscribeUrl?: string;
}

/** A part of a mail, as plain text; this file escapes it. */
export type Block =
  | { paragraph: string }
  /** A table of facts with their names. */
  | { facts: [name: string, value: string][] }
  | { link: string; url: string };

export interface MailDraft {
  language: AppLanguage;
  subject: string;
  /** The heading in the mail; the subject by default. */
  heading?: string;
  blocks: Block[];
}

const PRODUCT = 'Prøveklar';
const INK = '#092e43';
const BLUE = '#0f4a6b';
const LINE = '#aabfcb';

// Mail programs drop style sheets, so every element carries its own. Dark on white, so that it can
// be printed.
const BODY = `margin:0;padding:24px 16px;background:#ffffff;color:${INK};font:16px/1.5 Arial,Helvetica,sans-serif`;
const HEADING = `margin:16px 0;font-size:24px;line-height:1.25;color:${INK}`;
const BRAND = `margin:0;padding-bottom:12px;border-bottom:3px solid ${BLUE};font-weight:bold;color:${BLUE}`;
const TABLE = 'width:100%;margin:16px 0;border-collapse:collapse';
const CELL = `padding:8px 12px 8px 0;border-bottom:1px solid ${LINE};text-align:left;vertical-align:top`;

/** Writes a mail as plain text and as HTML, from one draft, so that both have the same content. */
export function composeMail(draft: MailDraft): MailContent {
  return { subject: draft.subject, text: writeText(draft), html: writeHtml(draft) };
}

function writeText({ subject, heading = subject, blocks }: MailDraft): string {
  return `${[PRODUCT, heading, ...blocks.map(blockAsText)].join('\n\n')}\n`;
}

function blockAsText(block: Block): string {
  if ('paragraph' in block) return block.paragraph;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${block.link}:\n${block.url}`;
}

function writeHtml({ language, subject, heading = subject, blocks }: MailDraft): string {
  return `<!doctype html>
<html lang="${language === 'no' ? 'nb' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
<p style="${BRAND}">${PRODUCT}</p>
<h1 style="${HEADING}">${escapeHtml(heading)}</h1>
${blocks.map(blockAsHtml).join('\n')}
</div>
</body>
</html>
`;
}

function blockAsHtml(block: Block): string {
  if ('paragraph' in block) {
    return `<p style="margin:16px 0">${escapeHtml(block.paragraph)}</p>`;
  }
  if ('facts' in block) {
    const rows = block.facts.map(
      ([name, value]) =>
        `<tr><th scope="row" style="${CELL};width:40%;font-weight:normal">${escapeHtml(name)}</th>` +
        `<td style="${CELL};font-weight:bold">${escapeHtml(value)}</td></tr>`,
    );
    return `<table style="${TABLE}">\n${rows.join('\n')}\n</table>`;
  }
  const url = escapeHtml(block.url);
  // Shows the URL itself: in print, only the text of a link is left.
  return (
    `<p style="margin:16px 0">${escapeHtml(block.link)}:<br>` +
    `<a href="${url}" style="color:${BLUE};overflow-wrap:anywhere">${url}</a></p>`
  );
}
