import { createServer } from 'vite';
import { waitForGateway } from './wait-for-gateway.ts';

/** What `startFrontendServer` hands over, as JSON in the first argument. */
export interface FrontendOrder {
  /** The frontend's folder. */
  root: string;
  host: string;
  port: number;
  /** The gateway's address. */
  gatewayUrl: string;
}

// Vite's development server, on the address that people open: pages come from the sources, with hot
// reload, and the gateway answers behind it.
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
