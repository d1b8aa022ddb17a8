import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '@proveklar/local/processes.ts';
import type { LoadOrder, LoadResult } from '#load/answers.ts';
import type { Bench } from '#row.ts';
import { CONNECTIONS, LEARNERS, UID_PREFIX } from './given-answers.ts';

const PROCESS = join(import.meta.dirname, '../load/answers.ts');

/** Runs the load generator in its own process: learners answer over HTTP, evenly distributed over the gateways. */
export async function answerOverHttp(
  bench: Bench,
  load: Omit<LoadOrder, 'connections' | 'tokensFile'>,
): Promise<LoadResult> {
  const connections = CONNECTIONS * load.urls.length;
  const order: LoadOrder = { ...load, connections, tokensFile: tokensFile(bench) };
  const output = await runToEnd({
    name: 'The load',
    command: [process.execPath, PROCESS, JSON.stringify(order)],
    env: { PATH: process.env.PATH },
  });
  return JSON.parse(output) as LoadResult;
}

const files = new Map<Bench['identity'], string>();

/** A file with the learners' tokens, which are signed once for all rows. */
function tokensFile({ identity, scratch }: Bench): string {
  const known = files.get(identity);
  if (known) return known;
  const file = join(scratch.dir, 'tokens.json');
  const tokens = Array.from({ length: LEARNERS }, (_, learner) =>
    identity.tokenFor(`${UID_PREFIX}${learner}`, `learner-${learner}@example.no`),
  );
  writeFileSync(file, JSON.stringify(tokens));
  files.set(identity, file);
  return file;
}
