import { crc32, deflateRawSync } from 'node:zlib';
import { type FileRow, FROM_START } from '@proveklar/services/imports/file-rows.ts';
import { readXlsxRows } from '@proveklar/services/imports/read-xlsx-rows.ts';

// Excel workbooks for tests, written here byte by byte: hostile ones could not be made by a library.

interface ZipPart {
  name: string;
  content: string | Buffer;
  /** What the list of parts says that it is unpacked; by default the truth. */
  declaredSize?: number;
  /** Bit 0: encrypted. */
  flags?: number;
}

/** A zip file. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize, flags = 0 } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredSize ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    list.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002'),
        Buffer.from([20, 0]),
        common,
        entry,
        Buffer.from(name),
      ]),
    );
    files.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, directory, Buffer.from('PK\u0005\u0006'), end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** The XML of a sheet: what stands in and behind its rows. */
export const sheetOf = (rows: string, behind = '') =>
  `${XML}<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`;

/** A row of texts in their cells. */
export const rowOf = (cells: readonly string[], attributes = '') =>
  `<row ${attributes}>${cells.map((text) => `<c t="inlineStr"><is><t>${escape(text)}</t></is></c>`).join('')}</row>`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface Workbook {
  /** The XML of each sheet by its name. */
  sheets: Record<string, string>;
  shared?: string;
  styles?: string;
  workbookPr?: string;
}

/** The parts of a workbook. */
export function partsOf({ sheets, shared, styles, workbookPr = '' }: Workbook): ZipPart[] {
  const names = Object.keys(sheets);
  return [
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook>${workbookPr}<sheets>${names
        .map((name, place) => `<sheet name="${name}" sheetId="${place + 1}" r:id="r${place}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${XML}<Relationships>${names
        .map((_, place) => `<Relationship Id="r${place}" Target="worksheets/sheet${place}.xml"/>`)
        .join('')}</Relationships>`,
    },
    ...(shared ? [{ name: 'xl/sharedStrings.xml', content: `${XML}<sst>${shared}</sst>` }] : []),
    ...(styles
      ? [{ name: 'xl/styles.xml', content: `${XML}<styleSheet>${styles}</styleSheet>` }]
      : []),
    ...names.map((name, place) => ({
      name: `xl/worksheets/sheet${place}.xml`,
      content: sheets[name]!,
    })),
  ];
}

export const xlsxOf = (workbook: Workbook): Buffer => zipOf(partsOf(workbook));

/** The headings and rows of the first sheet of a workbook. */
export async function readWorkbook(
  workbook: Buffer,
): Promise<{ headings: string[]; rows: FileRow[] }> {
  let headings: string[] = [];
  const open = async function* (byte: number) {
    yield workbook.subarray(byte);
  };
  const rows = await Array.fromAsync(
    readXlsxRows(open, workbook.length, FROM_START, {
      isLenient: true,
      onColumns: async (columns) => {
        headings = columns.headings;
      },
    }),
  );
  return { headings, rows: rows.flat() };
}

/** A stored file, which comes in chunks of `size` bytes. */
export const openOf = (bytes: Buffer, size: number) =>
  async function* (byte: number) {
    for (let at = byte; at < bytes.length; at += size) {
      yield bytes.subarray(at, Math.min(bytes.length, at + size));
    }
  };
