import type { FastifyInstance } from 'fastify';

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** Lets pages served from this machine, whatever their port, call the API as Stripe.js does. */
export function allowLoopbackOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && LOOPBACK.test(origin)) {
      void reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
        .header('access-control-expose-headers', 'request-id')
        .header('access-control-max-age', '600');
    }
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return undefined;
  });
}
