import { type Static, Type } from 'typebox';
import { Closed } from './common.ts';
import {
  AREA_SHAPE,
  MAX_AREAS,
  MAX_IMAGE_ALT_LENGTH,
  MAX_IMAGE_LENGTH,
  MAX_TEXT_LENGTH,
} from './limits.ts';

// Pictures of questions: how they are sent, and how they are read.

export const IMAGE_TYPES = ['image/svg+xml', 'image/png', 'image/jpeg'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Where an option is in the picture. */
export const Area = Closed({
  name: Type.String({ pattern: '\\S', maxLength: MAX_TEXT_LENGTH, description: 'An option.' }),
  shape: Type.String({
    pattern: AREA_SHAPE,
    description:
      'A polygon of 3 to 40 points in percent of width and height, with at most one decimal: `12,30 20,30 20,44`.',
  }),
});
export type Area = Static<typeof Area>;

/** As many as a question can have options. */
export const Areas = Type.Array(Area, {
  minItems: 2,
  maxItems: MAX_AREAS,
  description: 'Where each option is in the picture: one area for each, right or wrong.',
});

/** A picture that is sent. */
export const ImageData = Type.String({
  pattern: '^data:',
  maxLength: MAX_IMAGE_LENGTH,
  description:
    'An SVG, PNG or JPEG as a data URI of at most 2 MB. An SVG with scripts, links or anything from elsewhere is refused; PNG and JPEG are encoded again.',
});

/** What a picture shows, in words. */
export const ImageAlt = Type.String({ pattern: '\\S', maxLength: MAX_IMAGE_ALT_LENGTH });

/** A picture that is read. */
export const Image = Closed({
  url: Type.String({ description: 'The path of the picture, which never changes.' }),
  alt: Type.String({ description: 'What it shows, in words.' }),
  width: Type.Integer({ minimum: 1, description: 'In pixels; of an SVG, the ratio counts.' }),
  height: Type.Integer({ minimum: 1 }),
});
export type Image = Static<typeof Image>;

export const ImageParams = Closed({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content.' }),
});
