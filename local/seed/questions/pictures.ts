import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};
/** Such as images/kart.svg: no way out of the folder. */
const FILE_NAME = /^images\/[a-z\d]+(?:-[a-z\d]+)*\.(?:svg|png|jpe?g)$/;

/**
 * A picture of the bank as a data URI. A row may name a file beside the bank's JSON files, such as
 * "images/kart.svg", or have a data URI itself.
 *
 * @throws Error when there is no such file
 */
export async function readPictureFile(dir: string, image: string): Promise<string> {
  if (image.startsWith('data:')) return image;
  if (!FILE_NAME.test(image)) throw new Error(`${image} is not a name such as images/kart.svg`);
  const content = await readFile(join(dir, image));
  return `data:${TYPES[extname(image)]!};base64,${content.toString('base64')}`;
}

/** The rows with their pictures as data URIs, as an import takes them. */
export async function withPictures<R extends { image?: string }>(
  dir: string,
  rows: readonly R[],
): Promise<R[]> {
  return Promise.all(
    rows.map(async (row) =>
      row.image === undefined ? row : { ...row, image: await readPictureFile(dir, row.image) },
    ),
  );
}
