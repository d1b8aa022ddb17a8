import type { OperationDocs } from './operation.ts';
import { PICTURE, PICTURE_HASH } from './values.ts';

export const readImage: OperationDocs<never, string> = {
  operationId: 'readImage',
  description:
    'Public, because a browser sends no token for a picture; only who has read the question knows the address. The picture of an address never changes: it may be cached for ever, and has an ETag.',
  examples: { svg: { summary: 'An SVG', path: { hash: PICTURE_HASH }, answer: PICTURE } },
  errors: { not_found: {} },
};
