import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { authenticate, requireSecret } from './api-keys.ts';
import type { Endpoint, Incoming } from './calls.ts';
import type { Context } from './context.ts';
import { answerFaulty } from './control/faulty-answer.ts';
import { execute } from './execute.ts';
import type { Answer } from './execute.ts';
import { refuseKeyInUse } from './idempotency.ts';
import type { Params } from './params.ts';

/** Registers one API call: authenticate, execute, answer; unless a fault was ordered for it. */
export function defineEndpoint(app: FastifyInstance, context: Context, endpoint: Endpoint): void {
  const { method, url } = endpoint;
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const incoming = read(request, endpoint);
      const { key } = incoming;
      if (key !== null) {
        void reply.header('idempotency-key', key);
        refuseKeyInUse(context.keysInUse, key);
      }
      const hit = context.faults.hitCall(`${method} ${url}`);
      const answer =
        hit === null
          ? execute(context, endpoint, incoming)
          : await answerFaulty(context, endpoint, incoming, hit);
      return answer === null ? hangUp(reply) : send(reply, answer);
    },
  });
}

function read(request: FastifyRequest, endpoint: Endpoint): Incoming {
  const isGet = endpoint.method === 'GET';
  const params = ((isGet ? request.query : request.body) ?? {}) as Params;
  const keyKind = authenticate(request.headers.authorization, params);
  if (endpoint.publishable === undefined) requireSecret(keyKind);
  const header = request.headers['idempotency-key'];
  const { id = '' } = request.params as { id?: string };
  return {
    requestId: request.id,
    keyKind,
    key: !isGet && typeof header === 'string' && header !== '' ? header : null,
    path: request.url.split('?', 1)[0] ?? request.url,
    id,
    params,
    origin: `http://${request.host}`,
  };
}

function send(reply: FastifyReply, { status, body, replayOf }: Answer): FastifyReply {
  if (replayOf !== undefined) {
    void reply.header('idempotent-replayed', 'true').header('original-request', replayOf);
  }
  return reply.code(status).send(body);
}

/** The connection ends without an answer. */
function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
