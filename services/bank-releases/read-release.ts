import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import { ROW_TEXTS } from '#imports/row-texts.ts';
import { checkRow } from '#questions/question-row.ts';

/** A release of our question bank, as its files have it. */
export interface Release {
  /** SHA-256 of all its questions and pictures, hexadecimal. */
  fingerprint: string;
  /** Valid rows, each with its picture as a data URI. */
  questions: QuestionRow[];
}

/** A release cannot be applied: one of its questions is not valid. */
export class InvalidRelease extends Error {
  override readonly name = 'InvalidRelease';
}

/**
 * Reads the release in a folder: the rows of its JSON files, and their pictures.
 *
 * @throws InvalidRelease
 */
export async function readRelease(dir: string): Promise<Release> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json')).toSorted();
  const files = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  const rows = await withPictures(
    dir,
    files.flatMap((file) => JSON.parse(file) as { image?: string }[]),
  );
  const questions = rows.map((row) => {
    const checked = checkRow(row);
    if ('row' in checked) return checked.row;
    const { group = 'without a group' } = row as { group?: string };
    const faults = checked.faults.map(
      ({ field, reason }) => `${field} ${ROW_TEXTS.en.fault[reason]}`,
    );
    throw new InvalidRelease(`The question ${group} is not valid: ${faults.join('; ')}`);
  });
  const fingerprint = createHash('sha256').update(JSON.stringify(questions)).digest('hex');
  return { fingerprint, questions };
}

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
  // Twins share a picture.
  const pictures = new Map<string, Promise<string>>();
  const pictureOf = (image: string) => {
    const picture = pictures.get(image) ?? readPictureFile(dir, image);
    pictures.set(image, picture);
    return picture;
  };
  return Promise.all(
    rows.map(async (row) =>
      row.image === undefined ? row : { ...row, image: await pictureOf(row.image) },
    ),
  );
}
