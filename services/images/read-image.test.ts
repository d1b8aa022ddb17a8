import { crc32 } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { readImage, toDataUri } from './read-image.ts';

const uriOf = (type: string, content: Buffer) =>
  `data:image/${type};base64,${content.toString('base64')}`;

/** A picture without any two equal pixels beside each other, as a photograph. */
function pixels(width: number, height: number) {
  const png = new PNG({ width, height });
  let random = 1;
  for (let at = 0; at < png.data.length; at += 4) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    png.data.writeUInt32BE(((random & 0xffffff00) | 255) >>> 0, at);
  }
  return png;
}

const ENCODE = {
  png: (width: number, height: number) => PNG.sync.write(pixels(width, height)),
  jpeg: (width: number, height: number) => jpeg.encode(pixels(width, height), 50).data,
};
const SECRET = 'the address of the photographer';

/** A text chunk after the header of a PNG. */
function pngWithText(png: Buffer): Buffer {
  const data = Buffer.from(`tEXtComment\0${SECRET}`);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  crc.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, 33), length, data, crc, png.subarray(33)]);
}

/** EXIF with an orientation, and a comment, at the beginning of a JPEG. */
function jpegWithExif(content: Buffer, orientation = 1): Buffer {
  // APP1, "Exif", a little-endian TIFF with one entry: tag 0x0112, a short.
  const head = 'ffe1000045786966000049492a000800000001001201030001000000';
  const exif = Buffer.from(`${head}0${orientation}00000000000000`, 'hex');
  exif.writeUInt16BE(exif.length - 2, 2);
  const comment = Buffer.from(`....${SECRET}`);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(comment.length - 2, 2);
  return Buffer.concat([content.subarray(0, 2), exif, comment, content.subarray(2)]);
}

const WITH_SECRET = { png: pngWithText, jpeg: jpegWithExif };

async function faultOf(uri: string) {
  const read = await readImage(uri);
  return 'fault' in read ? read.fault.reason : 'none';
}

async function accepted(uri: string, find?: Parameters<typeof readImage>[1]) {
  const read = await readImage(uri, find);
  if ('fault' in read) throw new Error(read.fault.reason);
  return read.image;
}

describe.each(['png', 'jpeg'] as const)('a %s', (format) => {
  test('is encoded again, without its metadata and what is added to it', async () => {
    const sent = WITH_SECRET[format](ENCODE[format](64, 32));
    expect(sent.includes(SECRET)).toBe(true);
    const image = await accepted(uriOf(format, sent));
    expect(image).toMatchObject({ type: `image/${format}`, width: 64, height: 32 });
    expect(image.content.includes(SECRET)).toBe(false);
    const longer = uriOf(format, Buffer.concat([sent, Buffer.from('<script>')]));
    if (format === 'png') expect(await faultOf(longer)).toBe('image_damaged');
    else expect((await accepted(longer)).content.equals(image.content)).toBe(true);
    const read = format === 'png' ? PNG.sync.read(image.content) : jpeg.decode(image.content);
    expect(read).toMatchObject({ width: 64, height: 32 });
  });

  test('that is stored stays as it is when an export brings it back', async () => {
    const image = await accepted(uriOf(format, ENCODE[format](64, 32)));
    const find = async (hash: string) => (hash === image.hash ? image : null);
    expect(await accepted(toDataUri(image), find)).toEqual(image);
  });

  test('is refused when it is damaged, another type, or of unsuitable size', async () => {
    const sent = ENCODE[format](400, 400);
    const other = format === 'png' ? 'jpeg' : 'png';
    expect(await faultOf(uriOf(format, sent.subarray(0, sent.length / 2)))).toBe('image_damaged');
    expect(await faultOf(uriOf(other, sent))).toBe('image_damaged');
    const small = ENCODE[format](15, 15);
    expect(await faultOf(uriOf(format, small))).toBe('image_dimensions');
    const strip = ENCODE[format](900, 100);
    expect(await faultOf(uriOf(format, strip))).toBe('image_dimensions');
  });
});

test('a PNG keeps its pixels and what is transparent', async () => {
  const sent = pixels(20, 20);
  sent.data[3] = 7;
  const { content } = await accepted(uriOf('png', PNG.sync.write(sent)));
  expect(PNG.sync.read(content).data.equals(sent.data)).toBe(true);
  expect((await accepted(uriOf('png', content))).content.equals(content)).toBe(true);
});

/** A bright corner in a dark picture: where it is after turning. */
async function brightCorner(orientation: number) {
  const png = new PNG({ width: 64, height: 32 });
  png.data.fill(0);
  for (let y = 0; y < 16; y += 1) png.data.fill(255, y * 256, y * 256 + 64);
  const sent = jpegWithExif(jpeg.encode(png, 90).data, orientation);
  const { content, width, height } = await accepted(uriOf('jpeg', sent));
  const { data } = jpeg.decode(content);
  const at = (x: number, y: number) => data[(y * width + x) * 4]! > 128;
  const corners = [at(2, 2), at(width - 3, 2), at(width - 3, height - 3), at(2, height - 3)];
  return `${width}x${height} ${['left top', 'right top', 'right bottom', 'left bottom'][corners.indexOf(true)]!}`;
}

test.each([
  [1, '64x32 left top'],
  [2, '64x32 right top'],
  [3, '64x32 right bottom'],
  [4, '64x32 left bottom'],
  [5, '32x64 left top'],
  [6, '32x64 right top'],
  [7, '32x64 right bottom'],
  [8, '32x64 left bottom'],
])('a JPEG is turned as its camera was held: %i', async (orientation, corner) => {
  expect(await brightCorner(orientation)).toBe(corner);
});

test('decompression bombs are refused before they are decoded', async () => {
  const png = ENCODE.png(64, 32);
  png.writeUInt32BE(30_000, 16);
  expect(await faultOf(uriOf('png', png))).toBe('image_dimensions');
  const interlaced = ENCODE.png(64, 32);
  interlaced[28] = 1;
  expect(await faultOf(uriOf('png', interlaced))).toBe('png_interlaced');
  const photo = ENCODE.jpeg(64, 32);
  const header = photo.indexOf(Buffer.from('ffc0', 'hex'));
  const large = Buffer.from(photo);
  large.writeUInt16BE(60_000, header + 5);
  expect(await faultOf(uriOf('jpeg', large))).toBe('image_dimensions');
  const scan = photo.subarray(photo.indexOf(Buffer.from('ffda', 'hex')), -2);
  const scans = Buffer.concat([
    photo.subarray(0, -2),
    ...Array<Buffer>(60).fill(scan),
    photo.subarray(-2),
  ]);
  expect(await faultOf(uriOf('jpeg', scans))).toBe('image_damaged');
});

test('a PNG that unpacks to more than its header says is refused', async () => {
  const [small, large] = [
    ENCODE.png(16, 16),
    PNG.sync.write(new PNG({ width: 4000, height: 900 })),
  ];
  const bomb = Buffer.concat([small.subarray(0, 33), large.subarray(33)]);
  expect(bomb.length).toBeLessThan(100_000);
  expect(await faultOf(uriOf('png', bomb))).toBe('image_damaged');
});

test.each([
  ['https://example.no/a.png', 'not_an_image'],
  ['data:image/gif;base64,AAAA', 'not_an_image'],
  ['data:text/html;base64,AAAA', 'not_an_image'],
  ['data:image/svg+xml;charset=utf-16,%3Csvg', 'not_an_image'],
  ['data:image/png;base64,A-_A', 'image_damaged'],
  ['data:image/png;base64,', 'image_damaged'],
  ['data:image/svg+xml,%E0%A4%A', 'image_damaged'],
  [
    `data:image/svg+xml;base64,${Buffer.from('\uFEFF<svg/>', 'utf16le').toString('base64')}`,
    'image_damaged',
  ],
])('a data URI is refused: %s', async (uri, reason) => {
  expect(await faultOf(uri)).toBe(reason);
});

test('an SVG stays byte for byte, in base64 or not', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><title>Å</title></svg>';
  const uris = [
    uriOf('svg+xml', Buffer.from(svg)),
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
    `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
  ];
  const images = await Promise.all(uris.map((uri) => accepted(uri)));
  for (const { content } of images) expect(content.toString()).toBe(svg);
  expect(new Set(images.map(({ hash }) => hash)).size).toBe(1);
});

test('a picture that would not fit into an import any more is refused', async () => {
  const sent = jpeg.encode(pixels(2000, 1000), 30).data;
  expect(uriOf('jpeg', sent).length).toBeLessThan(2 * 1024 ** 2);
  expect(await faultOf(uriOf('jpeg', sent))).toBe('image_too_large');
});
