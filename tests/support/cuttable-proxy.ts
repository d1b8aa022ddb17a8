import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableProxy {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Holds the next upload after so many bytes: nothing more of it is passed on. Resolves when it has come so far. */
  holdUploadAfter: (bytes: number) => Promise<void>;
  /** Cuts all connections, and accepts none until `restore`. */
  cut: () => void;
  /** Passes on everything again. */
  restore: () => void;
  close: () => Promise<void>;
}

/** The network between a browser and a gateway, which a test can hold and cut. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let hold: { bytes: number; reached: () => void } | null = null;

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const gateway = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    gateway.pipe(client);
    let passed = 0;
    client.on('data', (piece: Buffer) => {
      passed += piece.length;
      gateway.write(piece);
      if (!hold || passed < hold.bytes) return;
      client.pause();
      hold.reached();
    });
    client.on('end', () => gateway.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const destroyAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdUploadAfter: (bytes) =>
      new Promise((reached) => {
        hold = { bytes, reached };
      }),
    cut() {
      isCut = true;
      hold = null;
      destroyAll();
    },
    restore() {
      isCut = false;
      hold = null;
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
