import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** Writes `file.br` and `file.gz` next to every file that gets smaller by compression. */
export async function compressFiles(outDir: string): Promise<void> {
  const files = globSync(`${outDir}/{*,assets/*}.{js,css,svg,json,html,webmanifest}`);
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      const [brotli, gzipped] = await Promise.all([
        withBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        withGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
    }),
  );
}
