import type { Area, Image } from '@proveklar/contract/images.ts';
import { imageOf } from '#images/images.ts';

/** The picture of a question, as it is read. */
export interface StoredPicture {
  image: Image | null;
  /** In the order of the author, of all options. */
  areas: Area[] | null;
}

/** SQL: the columns of `StoredPicture`, of a `question` or of the view `shown_question`. */
export const pictureColumns = (from: string) => `${imageOf(from)} as image, ${from}.areas`;

/**
 * The picture as a learner gets it. Areas have the order of the options: the author's order, or an area without an
 * option, would say something about the key.
 *
 * @param options as they are shown
 */
export function toPicture({ image, areas }: StoredPicture, options: readonly string[]) {
  const shapes = new Map(areas?.map(({ name, shape }) => [name, shape]));
  const shown = options.flatMap((name) => {
    const shape = shapes.get(name);
    return shape === undefined ? [] : { name, shape };
  });
  return { image, areas: image && shown.length === options.length ? shown : null };
}
