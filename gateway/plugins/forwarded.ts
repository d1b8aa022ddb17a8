import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whose call counts against the limits. Read when the headers have come: a socket whose client has left
     * may have no address any more, and a call that was sent is done all the same.
     */
    clientAddress: string;
  }
}

/**
 * Keeps the client's address for the limits. Tells the operator, once, of a proxy that may have been forgotten in TRUSTED_PROXIES: its header is
 * not believed, and everybody behind it shares the limits of one client. It may also be somebody who
 * tries to look like many. The address is not logged, as no caller's is.
 */
export const forwardedPlugin = fp(
  async (app) => {
    let isTold = false;
    app.decorateRequest('clientAddress', '');
    app.addHook('onRequest', async (request) => {
      request.clientAddress = request.ip ?? '';
      if (isTold || !request.headers['x-forwarded-for']) return;
      // The peer, and what the header says, as far as it is believed.
      if ((request.ips?.length ?? 1) > 1) return;
      isTold = true;
      request.log.warn(
        'X-Forwarded-For from a peer that TRUSTED_PROXIES does not name was ignored. If that is ' +
          'your proxy, name it: until then all its clients count as one.',
      );
    });
  },
  { name: 'forwarded' },
);
