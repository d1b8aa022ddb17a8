import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { beginExport, endExport } from '@proveklar/services/accounts/limited-calls.ts';
import { exportAccount } from '@proveklar/services/privacy/export-account.ts';
import { exportQuizzes } from '@proveklar/services/quiz/export-quizzes.ts';
import * as docs from '#openapi/examples/account-export.ts';
import { AccountExport } from '@proveklar/contract/account-export.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { callerOf, identityOf } from '#plugins/access.ts';

type Head = Omit<AccountExport, 'quizzes'>;
type Quizzes = AccountExport['quizzes'];

// Not checked against its schema by the compiler: it answers with a stream of it.
export const exportAccountRoute: FastifyPluginAsync = async (app) => {
  app.get(
    '/export',
    {
      config: { access: 'learner', takesItsTime: true, docs: docs.exportAccount },
      schema: {
        tags: ['account'],
        summary: 'Everything that we hold about whoever is signed in, as a file',
        response: withErrors({ 200: AccountExport }),
      },
    },
    async (request, reply) => {
      const account = callerOf(request);
      const { email: tokenEmail, emailVerified } = identityOf(request);
      const running = await beginExport(app.deps, account.id);
      let ended: Promise<void> | undefined;
      const end = () => (ended ??= endExport(app.deps.db, running));
      // Whoever goes away before the first byte leaves a stream that is never read, nor ended.
      const leave = () => end().catch((error: unknown) => request.log.error(error));
      reply.raw.once('close', () => void leave());
      // Before the first byte: what fails here is still answered as an error.
      const person = { account, tokenEmail, emailVerified };
      const head: Head = await exportAccount(app.deps, person).catch(async (error: unknown) => {
        await end();
        throw error;
      });
      // Who left while we counted the export is not heard leaving any more.
      if (reply.raw.destroyed) {
        await leave();
        return reply.hijack();
      }
      const name = `proveklar-${head.exported_at.slice(0, 10)}.json`;
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(asJson(head, exportQuizzes(app.deps.db, account.id), end)));
    },
  );
};

/**
 * Writes the quizzes as they are read, for there may be hundreds.
 *
 * @param end is called once all is read, before the answer ends, or nobody reads on
 */
async function* asJson(
  head: Head,
  quizzes: AsyncIterable<Quizzes>,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    const text = JSON.stringify(head, null, 1);
    yield `${text.slice(0, text.lastIndexOf('}')).trimEnd()},\n "quizzes": [`;
    let separator = '\n';
    for await (const part of quizzes) {
      yield separator + part.map((quiz) => JSON.stringify(quiz, null, 1)).join(',\n');
      separator = ',\n';
    }
    yield '\n]}\n';
  } finally {
    await end();
  }
}
