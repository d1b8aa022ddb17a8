import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { IMAGE_TYPES, type ImageType } from '@proveklar/contract/images.ts';
import type { RowFaultReason } from '@proveklar/contract/question-row.ts';
import { MAX_IMAGE_LENGTH } from '@proveklar/contract/limits.ts';
import { checkSvg, type Size, ImageRefused } from './check-svg.ts';

/** A picture as it is stored. */
export interface StoredImage extends Size {
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
  type: ImageType;
  content: Buffer;
}

/** Why a picture is refused. */
export interface ImageFault {
  reason: RowFaultReason;
  /** What in it, where that has a name. */
  part?: string | undefined;
}

/** Finds a picture that is stored already. */
export type FindImage = (hash: string) => Promise<(Size & { type: string }) | null>;

/** Longer than any type with its parameters. */
const MAX_HEADER_LENGTH = 100;
const HEADER = /^data:(image\/[a-z+]+)((?:;\s*(?:charset=utf-?8|utf8))?)(;base64)?$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Checks a picture that is sent as a data URI, and makes of it what is stored: an SVG stays as it is, PNG and JPEG are
 * decoded and encoded again, without metadata.
 *
 * @param find a picture that the bank has stays as it is: a JPEG would become worse each time that an export is
 *   imported again
 */
export async function readImage(
  uri: string,
  find: FindImage = async () => null,
): Promise<{ image: StoredImage } | { fault: ImageFault }> {
  const sent = decode(uri);
  if ('fault' in sent) return sent;
  const { type, content } = sent;
  const hash = hashOf(content);
  const known = await find(hash);
  if (known?.type === type) {
    return { image: { hash, type, content, width: known.width, height: known.height } };
  }
  try {
    const read = type === 'image/svg+xml' ? readSvg(content) : await encodeAgain(type, content);
    checkRatio(read);
    const image = { hash: hashOf(read.content), type, ...read };
    // An export must fit into an import.
    if (toDataUri(image).length > MAX_IMAGE_LENGTH) return fault('image_too_large');
    return { image };
  } catch (error) {
    if (error instanceof ImageRefused) return { fault: { reason: error.reason, part: error.part } };
    throw error;
  }
}

export function toDataUri({ type, content }: Pick<StoredImage, 'type' | 'content'>): string {
  return `data:${type};base64,${content.toString('base64')}`;
}

function decode(uri: string): { type: ImageType; content: Buffer } | { fault: ImageFault } {
  const comma = uri.slice(0, MAX_HEADER_LENGTH).indexOf(',');
  const [, named = '', , base64] = HEADER.exec(uri.slice(0, Math.max(0, comma))) ?? [];
  const name = named.toLowerCase() === 'image/jpg' ? 'image/jpeg' : named.toLowerCase();
  const type = IMAGE_TYPES.find((known) => known === name);
  if (!type) return fault('not_an_image');
  const data = uri.slice(comma + 1);
  if (base64 === undefined) {
    try {
      return { type, content: Buffer.from(decodeURIComponent(data)) };
    } catch {
      return fault('image_damaged');
    }
  }
  if (!BASE64.test(data)) return fault('image_damaged');
  return { type, content: Buffer.from(data, 'base64') };
}

function fault(reason: RowFaultReason): { fault: ImageFault } {
  return { fault: { reason } };
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function readSvg(content: Buffer): Size & { content: Buffer } {
  if (!isUtf8(content)) throw new ImageRefused('image_damaged');
  return { content, ...checkSvg(content.toString('utf8').replace(/^\uFEFF/, '')) };
}

const MIN_SIDE = 16;
const MAX_SIDE = 4_000;
/**
 * Decoded, 4 bytes each: a bomb of some kilobytes could have a billion. Checked in the header, before anything is
 * decoded. Decoding and encoding this many takes about a second, in which the process does nothing else.
 */
const MAX_PIXELS = 2_000_000;
const MAX_DECODER_MB = 256;
const JPEG_QUALITY = 90;
/** Each scan of a JPEG goes through all of it; a progressive one has about ten. */
const MAX_SCANS = 50;

/** Decodes a PNG or JPEG to its pixels, and encodes only these. */
async function encodeAgain(
  type: 'image/png' | 'image/jpeg',
  content: Buffer,
): Promise<Size & { content: Buffer }> {
  try {
    return type === 'image/png' ? await encodePng(content) : await encodeJpeg(content);
  } catch (error) {
    throw error instanceof ImageRefused ? error : new ImageRefused('image_damaged');
  }
}

const PNG_MAGIC = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_HEADER_BYTES = 33;

async function encodePng(content: Buffer): Promise<Size & { content: Buffer }> {
  const isPng =
    content.subarray(0, 8).equals(PNG_MAGIC) && content.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng || content.length < PNG_HEADER_BYTES) throw new ImageRefused('image_damaged');
  checkSize({ width: content.readUInt32BE(16), height: content.readUInt32BE(20) });
  // The decoder inflates these without a limit.
  if (content[28] !== 0) throw new ImageRefused('png_interlaced');
  const { PNG } = await import('pngjs');
  const { data, width, height } = PNG.sync.read(content);
  const png = new PNG({ width, height });
  png.data = data;
  const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255);
  const colorType = isOpaque ? 2 : 6;
  return { content: PNG.sync.write(png, { colorType, deflateLevel: 9 }), width, height };
}

const START_OF_SCAN = Buffer.from('ffda', 'hex');

async function encodeJpeg(content: Buffer): Promise<Size & { content: Buffer }> {
  const sent = readJpegHeader(content);
  checkSize(sent);
  // In pixels, FF is always followed by 00 or by a restart.
  let scans = 0;
  for (
    let at = content.indexOf(START_OF_SCAN);
    at !== -1;
    at = content.indexOf(START_OF_SCAN, at + 2)
  ) {
    scans += 1;
  }
  if (scans > MAX_SCANS) throw new ImageRefused('image_damaged');
  const jpeg = await import('jpeg-js');
  const decoded = jpeg.default.decode(content, {
    useTArray: true,
    tolerantDecoding: false,
    maxResolutionInMP: MAX_PIXELS / 1e6,
    maxMemoryUsageInMB: MAX_DECODER_MB,
  });
  const turned = turn(decoded, orientationOf((decoded as { exifBuffer?: Uint8Array }).exifBuffer));
  const { width, height } = turned;
  return { content: jpeg.default.encode(turned, JPEG_QUALITY).data, width, height };
}

/** The size in the header of a JPEG: the segments before it are skipped. */
function readJpegHeader(content: Buffer): Size {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8)
    throw new ImageRefused('image_damaged');
  let at = 2;
  while (at + 9 < content.length) {
    const marker = content.readUInt16BE(at);
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    // SOF0 to SOF2: those that the decoder reads.
    if (marker >= 0xffc0 && marker <= 0xffc2) {
      return { width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) };
    }
    if (marker >> 8 !== 0xff) break;
    at += 2 + content.readUInt16BE(at + 2);
  }
  throw new ImageRefused('image_damaged');
}

function checkSize({ width, height }: Size): void {
  const isSide = (side: number) => side >= MIN_SIDE && side <= MAX_SIDE;
  if (!isSide(width) || !isSide(height) || width * height > MAX_PIXELS) {
    throw new ImageRefused('image_dimensions');
  }
}

const ORIENTATION_TAG = 0x0112;

/** How the camera was held: 1 to 8, from the EXIF of a JPEG, of which the decoder gives what follows "Exif". */
function orientationOf(exif: Uint8Array | undefined): number {
  if (!exif) return 1;
  const all = Buffer.from(exif);
  const start = all.findIndex((_byte, at) =>
    /^(?:II\*\0|MM\0\*)$/.test(all.toString('latin1', at, at + 4)),
  );
  const tiff = all.subarray(Math.max(0, start));
  if (start === -1 || tiff.length < 8) return 1;
  const isLittle = tiff[0] === 0x49;
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  try {
    for (let entry = 0; entry < short(directory); entry += 1) {
      const at = directory + 2 + entry * 12;
      if (short(at) === ORIENTATION_TAG) return short(at + 8);
    }
  } catch {
    // Metadata that is cut off says nothing.
  }
  return 1;
}

interface Pixels extends Size {
  data: Uint8Array;
}

/** Turns and mirrors the pixels by an EXIF orientation. */
function turn({ data, width, height }: Pixels, orientation: number): Pixels {
  if (orientation < 2 || orientation > 8) return { data, width, height };
  const isSwapped = orientation >= 5;
  const [w, h] = isSwapped ? [height, width] : [width, height];
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  const isLeftRight = [2, 3, 7, 8].includes(orientation);
  const isUpsideDown = [3, 4, 6, 7].includes(orientation);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const [column, row] = isSwapped ? [y, x] : [x, y];
      const sourceX = isLeftRight ? width - 1 - column : column;
      const sourceY = isUpsideDown ? height - 1 - row : row;
      to[y * w + x] = from[sourceY * width + sourceX]!;
    }
  }
  return { data: new Uint8Array(to.buffer), width: w, height: h };
}

/** Longer strips could not be seen on a phone. */
const MAX_RATIO = 8;

function checkRatio({ width, height }: Size): void {
  const ratio = width / height;
  if (ratio > MAX_RATIO || ratio < 1 / MAX_RATIO) throw new ImageRefused('image_dimensions');
}
