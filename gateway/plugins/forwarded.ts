import fp from 'fastify-plugin';

/**
 * Tells the operator, once, of a proxy that may have been forgotten in TRUSTED_PROXIES: its header is
 * not believed, and everybody behind it shares the limits of one client. It may also be somebody who
 * tries to look like many. The address is not logged, as no caller's is.
 */
export const forwardedPlugin = fp(
  async (app) => {
    let isTold = false;
    app.addHook('onRequest', async (request) => {
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
