import { connect } from 'node:net';
import type { Plugin } from 'vite';

const EVERY_MS = 30;
const LONGEST_MS = 5_000;

/**
 * Holds calls of the gateway while it restarts, so that a page never sees it away. One that does not
 * come up again (its file has an error) is answered by Vite's proxy, with an error.
 *
 * @param paths patterns, as in Vite's `server.proxy`
 */
export function waitForGateway(paths: string[], gatewayUrl: string): Plugin {
  const patterns = paths.map((path) => new RegExp(path));
  const { hostname, port } = new URL(gatewayUrl);
  return {
    name: 'wait-for-gateway',
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, _response, next) => {
        if (!patterns.some((path) => path.test(url))) next();
        else whenListening({ host: hostname, port: Number(port) }, next, Date.now() + LONGEST_MS);
      });
    },
  };
}

function whenListening(
  address: { host: string; port: number },
  next: () => void,
  deadline: number,
): void {
  const socket = connect(address);
  socket.once('connect', () => {
    socket.destroy();
    next();
  });
  socket.once('error', () => {
    if (Date.now() > deadline) next();
    else setTimeout(whenListening, EVERY_MS, address, next, deadline);
  });
}
