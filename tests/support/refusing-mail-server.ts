import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

/**
 * A mail server that accepts any login and refuses every recipient, with the address and the password
 * in its answer, as real servers may.
 */
export function useRefusingMailServer(login: string): { readonly smtpUrl: string } {
  const server = createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {});
    say('220 here');
    createInterface(socket).on('line', (line) => {
      if (/^EHLO/i.test(line)) say('250-here\r\n250 AUTH PLAIN');
      else if (/^AUTH/i.test(line)) say('235 in');
      else if (/^RCPT/i.test(line)) say(`550 ${line.slice(8)}: no such user (password=${login})`);
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else say('250 ok');
    });
  });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.close();
  });
  return {
    get smtpUrl() {
      return `smtp://mailer:${login}@127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}
