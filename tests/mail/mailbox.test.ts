import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startMailbox, type Mailbox } from '@proveklar/local/mailbox/server.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { mailsTo } from '#support/mailbox.ts';

async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'proveklar-mailbox-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

async function open(dataDir: string): Promise<Mailbox> {
  const productUrl = 'http://127.0.0.1:3000';
  const mailbox = await startMailbox({ port: 0, smtpPort: 0, dataDir, productUrl });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= mailbox.close());
  onTestFinished(close);
  return { ...mailbox, close };
}

function send({ smtpUrl }: Mailbox, subject: string, html = '<p>Hei</p>'): Promise<void> {
  const mailer = createMailer({
    smtpUrl,
    from: 'Prøveklar <kontakt@example.no>',
    replyTo: 'kontakt@example.no',
    requireTls: false,
  });
  return mailer.send({ id: crypto.randomUUID(), to: 'a@example.no', subject, text: 'Hei', html });
}

const text = async (url: string) => (await fetch(url)).text();

test('lists the newest mail first, and keeps all mails after a restart', async () => {
  const dataDir = await temporaryDir();
  const first = await open(dataDir);
  await send(first, 'Den første');
  await send(first, 'Den andre – æøå');
  await first.close();
  const again = await open(dataDir);
  await send(again, 'Den tredje');
  const list = await text(again.url);
  const found = list.match(/Den (første|andre – æøå|tredje)/g);
  expect(found).toEqual(['Den tredje', 'Den andre – æøå', 'Den første']);
});

test('shows a mail without running its scripts', async () => {
  const mailbox = await open(await temporaryDir());
  await send(mailbox, '<img src=x onerror=alert(1)>', '<script>alert(1)</script><p>Hei</p>');
  expect(await text(mailbox.url)).not.toContain('<img');
  const [mail] = await mailsTo(mailbox.url, 'a@example.no');
  const address = `${mailbox.url}/mails/${mail?.id ?? ''}`;
  const page = await fetch(address);
  expect(await page.text()).toContain('&lt;img src=x');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const part = await fetch(`${address}/html`);
  expect(part.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-popups[^;]*; default-src 'none'/,
  );
  expect(part.headers.get('content-security-policy')).not.toContain('script');
  expect((await fetch(`${mailbox.url}/mails/../../etc/passwd`)).status).toBe(404);
});

test('answers only under the names of this host', async () => {
  const { url } = await open(await temporaryDir());
  const status = (host: string) =>
    new Promise((resolve, reject) => {
      const call = request(`${url}/mails.json`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.once('error', reject).end();
    });
  expect(await status('localhost:8025')).toBe(200);
  expect(await status('mailbox.localhost')).toBe(200);
  // DNS rebinding: a web page whose name was pointed at this host.
  expect(await status('evil.example.no')).toBe(403);
  expect(await status('127.0.0.1.example.no:8025')).toBe(403);
});

test('starts neither in production nor on an address that others can reach', async () => {
  const options = { port: 0, smtpPort: 0, dataDir: '/nowhere', productUrl: '' };
  await expect(startMailbox({ ...options, host: '0.0.0.0' })).rejects.toThrow('loopback only');
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  onTestFinished(() => {
    process.env.NODE_ENV = before;
  });
  await expect(startMailbox(options)).rejects.toThrow('NODE_ENV=production');
});

test('leaves nothing open when one of its ports is in use', async () => {
  const taken = await open(await temporaryDir());
  const dataDir = await temporaryDir();
  const port = Number(new URL(taken.url).port);
  const smtpPort = Number(new URL(taken.smtpUrl).port);
  const productUrl = '';
  await expect(startMailbox({ port, smtpPort: 0, dataDir, productUrl })).rejects.toThrow(
    'EADDRINUSE',
  );
  await expect(startMailbox({ port: 0, smtpPort, dataDir, productUrl })).rejects.toThrow(
    'EADDRINUSE',
  );
});
