import type { RowWarningReason } from '@proveklar/contract/imports.ts';

// What makes texts of a file doubtful although they are valid, and what of it can be cleaned without a loss.

/** What was cleaned in a row, or is doubtful in it. */
export interface RowRemark {
  /** The path of the field in the row. */
  field: string;
  reason: RowWarningReason;
  /** The text as it stands in the file, shortened. */
  value: string | null;
  /** The text was corrected; otherwise it was imported as it is. */
  cleaned: boolean;
}

/**
 * Control characters, soft hyphens, zero-width spaces, word joiners and byte-order marks: no reader sees them, and they
 * make two equal texts different. Joiners (U+200C, U+200D) stay: Persian and emoji need them. NUL is a fault.
 */
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B\u2060\uFEFF]/g;
/** Tags of formatted text. Others, such as `<sub>`, have a meaning that would be lost. */
const FORMATTING = /<(\/?)(b|i|u|em|strong|span|font|p|div|br)\b[^<>]{0,500}>/gi;
const OTHER_MARKUP =
  /<\/?(?:a|sub|sup|ul|ol|li|h[1-6]|img|table|tr|td|script|style)\b[^<>]{0,500}>/i;
const ENTITY =
  /&(nbsp|amp|lt|gt|quot|apos|shy|oslash|aring|aelig|Oslash|Aring|AElig|#\d{1,7}|#x[\da-f]{1,6});/gi;
const ENTITIES: Record<string, string> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  shy: '',
  oslash: 'ø',
  aring: 'å',
  aelig: 'æ',
  Oslash: 'Ø',
  Aring: 'Å',
  AElig: 'Æ',
};
/** What UTF-8 looks like when it is read as windows-1252, as in `sÃ¸knad` and `donâ€™t`; and what could not be read. */
const MOJIBAKE =
  /[ÃÂ][\u0080-\u00BF\u0152\u0153\u0160\u0161\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]|â€|\uFFFD/;
/** Finds a text that one of the others may find something in. Most texts have none of it. */
const SUSPICIOUS =
  // oxlint-disable-next-line no-control-regex
  /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B\u2060\uFEFF\uFFFD<&ÃÂâ]/;

const TEXTS = ['topic', 'question', 'answer', 'explanation', 'source_title', 'image_alt'];
const LISTS = ['incorrect', 'incorrect_reasons', 'tags'];

/**
 * Cleans the texts of a row that is not validated yet.
 *
 * @returns the row, which is the same object when there was nothing to clean; and what was found in it
 */
export function cleanTexts(row: unknown): { row: unknown; remarks: RowRemark[] } {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return { row, remarks: [] };
  const given = row as Record<string, unknown>;
  const remarks: RowRemark[] = [];
  let changed: Record<string, unknown> | null = null;
  const change = (name: string, value: unknown) => {
    changed ??= { ...given };
    changed[name] = value;
  };
  for (const name of TEXTS) {
    const text = given[name];
    if (typeof text !== 'string' || !SUSPICIOUS.test(text)) continue;
    const cleaned = cleanText(text, name, remarks);
    if (cleaned !== text) change(name, cleaned);
  }
  for (const name of LISTS) {
    const list = given[name];
    if (!Array.isArray(list) || !list.some(isSuspicious)) continue;
    change(
      name,
      list.map((text: unknown, place) =>
        isSuspicious(text) ? cleanText(text, `${name}.${place}`, remarks) : text,
      ),
    );
  }
  // An area has the text of its option.
  const { areas } = given;
  if (remarks.length > 0 && Array.isArray(areas)) {
    change(
      'areas',
      areas.map((area: unknown) => cleanArea(area)),
    );
  }
  return { row: changed ?? row, remarks };
}

const isSuspicious = (text: unknown): text is string =>
  typeof text === 'string' && SUSPICIOUS.test(text);

function cleanArea(area: unknown): unknown {
  const name = (area as { name?: unknown } | null)?.name;
  return isSuspicious(name) ? { ...(area as object), name: cleanText(name, '', []) } : area;
}

function cleanText(text: string, field: string, remarks: RowRemark[]): string {
  const value = excerpt(text);
  const remark = (reason: RowWarningReason, cleaned: boolean) =>
    remarks.push({ field, reason, value, cleaned });
  let clean = text;
  if (MOJIBAKE.test(clean)) {
    const repaired = repairMojibake(clean);
    remark('mojibake', repaired !== null);
    clean = repaired ?? clean;
  }
  const plain = clean
    .replaceAll(FORMATTING, (_tag, closing: string, name: string) =>
      /^(?:p|div|br)$/i.test(name) && closing === '' ? ' ' : '',
    )
    .replaceAll(ENTITY, (entity, name: string) => decodeEntity(name) ?? entity);
  if (plain !== clean) {
    remark('markup', true);
    clean = plain.trim();
  } else if (OTHER_MARKUP.test(clean)) remark('markup', false);
  const visible = clean.replaceAll(INVISIBLE, '');
  if (visible !== clean) {
    remark('invisible', true);
    clean = visible;
  }
  return clean;
}

function decodeEntity(name: string): string | null {
  const known = ENTITIES[name] ?? ENTITIES[name.toLowerCase()];
  if (known !== undefined) return known;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** The bytes 0x80 to 0x9F of windows-1252; five have no character. */
const WINDOWS_1252 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (character, byte) => [character, byte] as const,
  ),
);

/** The text as it was before UTF-8 was read as windows-1252; null when it is not that. */
function repairMojibake(text: string): string | null {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = WINDOWS_1252.get(character);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/** Remarks about the options of a valid row. */
export function optionRemarks({
  answer,
  incorrect,
}: {
  answer: string;
  incorrect: readonly string[];
}): RowRemark[] {
  const remarks: RowRemark[] = [];
  if (incorrect.length === 1) {
    remarks.push({ field: 'incorrect', reason: 'one_wrong_answer', value: null, cleaned: false });
  }
  const seen = new Set([fold(answer)]);
  for (const [place, text] of incorrect.entries()) {
    const folded = fold(text);
    if (seen.has(folded)) {
      const value = excerpt(text);
      remarks.push({ field: `incorrect.${place}`, reason: 'options_case', value, cleaned: false });
    }
    seen.add(folded);
  }
  return remarks;
}

/** Without capital letters, and without a full stop or an exclamation mark at the end. */
function fold(text: string): string {
  const trimmed = text.trim();
  const isMarked = trimmed.endsWith('.') || trimmed.endsWith('!');
  return (isMarked ? trimmed.slice(0, -1).trimEnd() : trimmed).toLowerCase();
}

const MAX_EXCERPT_LENGTH = 300;

/** A text for the report: shortened, and without what PostgreSQL cannot store. */
export function excerpt(text: string): string {
  const short = text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text;
  return short.toWellFormed().replaceAll('\0', '\uFFFD');
}
