import { connect } from 'node:net';
import { createServer, type Plugin } from 'vite';

/** The options from `startFrontendServer`, as JSON in the first argument. */
export interface FrontendOrder {
  /** The frontend's folder. */
  root: string;
  host: string;
  port: number;
  /** The gateway's address. */
  gatewayUrl: string;
}

const POLL_INTERVAL_MS = 30;
const MAX_WAIT_MS = 5_000;

// Vite's development server, on the public address: it serves pages from the sources, with hot reload, and
// proxies API calls to the gateway.
const order = JSON.parse(process.argv[2] ?? '') as FrontendOrder;
const { root, host, port, gatewayUrl } = order;
const gatewayPaths = ['^/api/', '^/health/'];
const server = await createServer({
  root,
  clearScreen: false,
  plugins: [waitForGateway(gatewayPaths, gatewayUrl)],
  server: {
    host,
    port,
    strictPort: true,
    proxy: Object.fromEntries(gatewayPaths.map((path) => [path, gatewayUrl])),
  },
});
await server.listen();

/**
 * Delays API calls while the gateway restarts, so that a page does not see the restart. If the gateway does
 * not come up again (a file has an error), Vite's proxy responds with an error.
 *
 * @param paths patterns, as in Vite's `server.proxy`
 */
function waitForGateway(paths: string[], gatewayUrl: string): Plugin {
  const patterns = paths.map((path) => new RegExp(path));
  const { hostname, port } = new URL(gatewayUrl);
  return {
    name: 'wait-for-gateway',
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, _response, next) => {
        if (!patterns.some((path) => path.test(url))) next();
        else whenListening({ host: hostname, port: Number(port) }, next, Date.now() + MAX_WAIT_MS);
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
    else setTimeout(whenListening, POLL_INTERVAL_MS, address, next, deadline);
  });
}
