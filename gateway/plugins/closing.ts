import fp from 'fastify-plugin';

/**
 * While the gateway closes, every answer ends its connection. Otherwise the server would wait for
 * connections that clients keep for their next request, until it is killed.
 */
export const closingPlugin = fp(
  async (app) => {
    let closing = false;
    app.addHook('preClose', async () => {
      closing = true;
    });
    app.addHook('onSend', async (_request, reply) => {
      if (closing) reply.header('connection', 'close');
    });
  },
  { name: 'closing' },
);
