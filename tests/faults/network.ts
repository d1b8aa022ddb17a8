import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy between processes and a server, which can be broken. */
export interface Link {
  /** The server's address, through the link. */
  through: (url: string) => string;
  /** Closes all connections, and those that are opened until `heal`. */
  cut: () => void;
  /** From now on every piece of data arrives so much later, in order. */
  delay: (ms: number) => void;
  /**
   * Nothing that the one side sends reaches the other one until `heal`, when what was sent still arrives; the
   * other way works.
   */
  hold: (from: 'client' | 'server') => void;
  heal: () => void;
  close: () => Promise<void>;
}

/** Starts a link to the server of `target`, such as `postgres://127.0.0.1:5432`. */
export async function openLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const broken = { isCut: false, delayMs: 0, held: null as 'client' | 'server' | null };
  let healed = Promise.withResolvers<void>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    if (broken.isCut) client.destroy();
    void pass(client, upstream, 'client');
    void pass(upstream, client, 'server');
  });

  /** Copies what `from` sends, in order; a piece that is held or late holds up those behind it. */
  async function pass(from: Socket, to: Socket, side: 'client' | 'server'): Promise<void> {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        while (broken.held === side) await healed.promise;
        if (broken.delayMs > 0) await sleep(broken.delayMs);
        if (to.destroyed) return;
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
    } catch {
      // One of the two has closed the connection; the other is closed with it.
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(own);
      return changed.href;
    },
    cut() {
      broken.isCut = true;
      destroyAll();
    },
    delay: (ms) => (broken.delayMs = ms),
    hold: (from) => (broken.held = from),
    heal() {
      Object.assign(broken, { isCut: false, delayMs: 0, held: null });
      healed.resolve();
      healed = Promise.withResolvers();
    },
    async close() {
      destroyAll();
      healed.resolve();
      server.close();
      await once(server, 'close');
    },
  };
}
