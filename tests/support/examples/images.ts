import { withTransaction } from '@proveklar/services/database/pool.ts';
import { storeImages } from '@proveklar/services/images/images.ts';
import { readImage } from '@proveklar/services/images/read-image.ts';
import { PICTURE_URI } from '@proveklar/gateway/openapi/examples/values.ts';
import type { SetUps } from './set-up.ts';

export const imagesSetUps: SetUps = {
  'readImage.svg': async ({ deps: { db } }) => {
    const read = await readImage(PICTURE_URI);
    if ('fault' in read) throw new Error(read.fault.reason);
    await withTransaction(db, (tx) => storeImages(tx, [read.image]));
    return {};
  },
  'readImage.not_found': async () => ({ path: { hash: 'f'.repeat(64) } }),
};
