import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { isLikeFormula } from '#csv/csv.ts';
import type { CellKind } from './file-rows.ts';

// A workbook with one sheet, packed while its rows are being read: none of it is in memory as a whole.

export interface XlsxCell {
  /** As the reader of workbooks gives it: a date as 2026-01-31, a share as 7 %. */
  text: string;
  /** By default text. */
  kind?: CellKind | undefined;
}

interface XlsxSheet {
  name: string;
  headings: readonly string[];
  rows: AsyncIterable<readonly XlsxCell[]>;
}

/** Writes a workbook in pieces. A text stays text whatever it begins with; numbers and dates are numbers and dates. */
export async function* writeXlsx(sheet: XlsxSheet): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  for (const [part, content] of Object.entries(partsAround(sheet.name))) {
    zip.addBuffer(Buffer.from(XML + content), part);
  }
  const rows = Readable.from(sheetXml(sheet), { objectMode: false });
  zip.addReadStream(rows, SHEET_PART);
  zip.end();
  const packed = zip.outputStream as Readable;
  // yazl does not pass on the error of a stream that it reads.
  rows.on('error', (error) => packed.destroy(error));
  try {
    for await (const piece of packed as AsyncIterable<Buffer>) yield piece;
  } finally {
    // The reader may have stopped in the middle.
    rows.destroy();
    packed.destroy();
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET_PART = 'xl/worksheets/sheet1.xml';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...targets: [type: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([type, target], place) =>
        `<Relationship Id="r${place + 1}" Type="${RELATION}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/**
 * Styles by their place in `cellXfs`. `guarded` is for texts that look like a formula: it has the format Text and the
 * apostrophe that Excel shows only while a cell is edited, so that editing it makes no formula of it either.
 */
const STYLE = { plain: 0, guarded: 1, date: 2, percent: 3, finePercent: 4, heading: 5 } as const;
const STYLES =
  `<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="6">${[
    'numFmtId="0" fontId="0"',
    'numFmtId="49" fontId="0" applyNumberFormat="1" quotePrefix="1"',
    // As an import reads a date that a person writes, whatever the language of the spreadsheet is.
    'numFmtId="164" fontId="0" applyNumberFormat="1"',
    'numFmtId="9" fontId="0" applyNumberFormat="1"',
    'numFmtId="10" fontId="0" applyNumberFormat="1"',
    'numFmtId="0" fontId="1" applyFont="1"',
  ]
    .map((format) => `<xf ${format} fillId="0" borderId="0" xfId="0"/>`)
    .join('')}</cellXfs></styleSheet>`;

const partsAround = (name: string): Record<string, string> => ({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/${SHEET_PART}" ContentType="${TYPE}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml':
    `<workbook ${MAIN} xmlns:r="${RELATION}"><sheets>` +
    `<sheet name="${escapeXml(name)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ),
  'xl/styles.xml': STYLES,
});

/** Characters of XML that are passed on at a time. */
const PIECE_LENGTH = 64 * 1024;
/** In characters. */
const COLUMN_WIDTH = 24;
const LAST_COLUMN_WIDTH = 80;

async function* sheetXml({ headings, rows }: XlsxSheet): AsyncGenerator<string> {
  const last = headings.length;
  const width = (from: number, to: number, size: number) =>
    from > to ? '' : `<col min="${from}" max="${to}" width="${size}" customWidth="1"/>`;
  // The headings stay while the rows are scrolled.
  let xml =
    `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${width(1, last - 1, COLUMN_WIDTH)}${width(last, last, LAST_COLUMN_WIDTH)}</cols><sheetData>` +
    rowXml(1, headings.map((text, place) => textXml(place, 1, text, STYLE.heading)).join(''));
  let number = 1;
  for await (const cells of rows) {
    number += 1;
    xml += rowXml(number, cells.map((cell, place) => cellXml(place, number, cell)).join(''));
    if (xml.length < PIECE_LENGTH) continue;
    yield xml;
    xml = '';
  }
  yield `${xml}</sheetData></worksheet>`;
}

const rowXml = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;

function cellXml(place: number, row: number, { text, kind }: XlsxCell): string {
  if (text === '') return '';
  switch (kind) {
    case 'number': {
      const value = Number(text);
      if (Number.isFinite(value)) return valueXml(place, row, value, STYLE.plain);
      break;
    }
    case 'boolean':
      return `<c r="${nameOf(place, row)}" t="b"><v>${text === 'TRUE' ? 1 : 0}</v></c>`;
    case 'percent': {
      const percent = Number(text.replace(' %', ''));
      if (!Number.isFinite(percent)) break;
      const style = Number.isInteger(percent) ? STYLE.percent : STYLE.finePercent;
      return valueXml(place, row, Number((percent / 100).toPrecision(15)), style);
    }
    case 'date': {
      const days = dayOf(text);
      if (days !== null) return valueXml(place, row, days, STYLE.date);
      break;
    }
    case undefined:
      break;
  }
  return textXml(place, row, text, isLikeFormula(text) ? STYLE.guarded : STYLE.plain);
}

const valueXml = (place: number, row: number, value: number, style: number) =>
  `<c r="${nameOf(place, row)}" s="${style}"><v>${value}</v></c>`;

/** Characters of a cell. Excel takes a file with more in one for damaged. */
const MAX_CELL_LENGTH = 32_767;

function textXml(place: number, row: number, text: string, style: number): string {
  if (text === '') return '';
  const fitting = text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
  const content = `<is><t xml:space="preserve">${escapeXml(fitting)}</t></is>`;
  return `<c r="${nameOf(place, row)}" s="${style}" t="inlineStr">${content}</c>`;
}

const names: string[] = [];

/** The name of a cell: `A1`. */
function nameOf(place: number, row: number): string {
  names[place] ??= lettersOf(place);
  return names[place] + row;
}

function lettersOf(place: number): string {
  let letters = '';
  for (let left = place + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** 1 March 1900: Excel counts a day before it that never was. */
const FIRST_DAY = 61;

/** A day as Excel counts them; null for one that it does not have. */
function dayOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const days = Date.parse(text) / DAY_MS + 25_569;
  return days >= FIRST_DAY ? days : null;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What looks like an escaped character, and characters that XML cannot have or would change. */
const UNWRITABLE =
  // oxlint-disable-next-line no-control-regex
  /_(?=x[\dA-Fa-f]{4}_)|[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const escapeXml = (text: string) =>
  text
    .replaceAll(UNWRITABLE, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    })
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
