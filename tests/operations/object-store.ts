import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';

/** The keys of the store, as restic reads them. */
export const STORE_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export interface Store {
  stop: () => Promise<void>;
}

type S3rver = new (options: Record<string, unknown>) => {
  run: () => Promise<unknown>;
  close: () => Promise<void>;
};

/** Starts an object store that speaks S3, on loopback; its objects are files below `folder`. */
export async function startStore({
  port,
  folder,
}: {
  port: number;
  folder: string;
}): Promise<Store> {
  const resolve = await loadOnDemand(
    { name: 'an object store', folder: 'tests/operations/object-store', megabytes: 14 },
    (line) => process.stdout.write(`${line}\n`),
  );
  const S3rver = createRequire(import.meta.url)(resolve('@20minutes/s3rver')) as S3rver;
  mkdirSync(folder, { recursive: true });
  const server = new S3rver({
    address: '127.0.0.1',
    port,
    directory: folder,
    silent: true,
    // It takes the slash at the end of a bucket's address for no part of what was signed; restic's client signs it.
    allowMismatchedSignatures: true,
  });
  await server.run();
  return { stop: () => server.close() };
}
