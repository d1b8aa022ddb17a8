import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import type { IdentityLinks } from './identity-links.ts';
import type { KeptMails } from './mail-store.ts';
import { linkPage, listPage, mailHtml, mailPage, messagePage } from './pages.ts';

export interface MailboxAppOptions {
  mails: KeptMails;
  links: IdentityLinks | undefined;
  productUrl: string;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
// Shows a mail as a mail program would: no scripts, no external content, links in a new tab.
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
  "style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";
/** Host names of this host. Under any other name (DNS rebinding) a web page could read the mails. */
const LOCAL_NAME = /^(127[.]0[.]0[.]1|\[::1\]|([a-z-]+[.])?localhost)(:\d+)?$/;

/** Builds the server of the mailbox pages; it does not listen yet. */
export function buildMailboxApp({ mails, links, productUrl }: MailboxAppOptions): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    if (LOCAL_NAME.test(request.headers.host ?? '')) return undefined;
    return reply.code(403).send({ error: 'The mailbox is for this machine only.' });
  });
  const findMail = (id: string) => mails.list().find((mail) => mail.id === id);
  const findLink = async (code: string) =>
    (await links?.list())?.find((link) => link.code === code);
  const notFound = messagePage('Not found', 'There is no such mail any more.');

  app.get('/', async (_request, reply) =>
    reply.type('text/html').send(listPage(mails.list(), (await links?.list()) ?? [])),
  );
  app.get('/mails.json', async () => mails.list());
  for (const file of ['mailbox.css', 'mailbox.js']) {
    const contents = readFileSync(new URL(`browser/${file}`, import.meta.url));
    const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
    app.get(`/${file}`, async (_request, reply) => reply.type(type).send(contents));
  }
  app.get<{ Params: { id: string } }>('/mails/:id', async ({ params }, reply) => {
    const mail = findMail(params.id);
    return reply
      .code(mail ? 200 : 404)
      .type('text/html')
      .send(mail ? mailPage(mail) : notFound);
  });
  app.get<{ Params: { id: string } }>('/mails/:id/html', async ({ params }, reply) => {
    const mail = findMail(params.id);
    return reply
      .code(mail ? 200 : 404)
      .header('content-security-policy', MAIL_POLICY)
      .type('text/html')
      .send(mail ? mailHtml(mail) : notFound);
  });
  app.get<{ Params: { code: string } }>('/links/:code', async ({ params }, reply) => {
    const link = await findLink(params.code);
    return reply
      .code(link ? 200 : 404)
      .type('text/html')
      .send(link ? linkPage(link) : notFound);
  });
  app.post<{ Params: { code: string }; Body: URLSearchParams }>(
    '/links/:code',
    async ({ params, body }, reply) => {
      const link = await findLink(params.code);
      if (!links || !link) return reply.code(404).type('text/html').send(notFound);
      const complaint = await links.choosePassword(link.code, body.get('password') ?? '');
      if (complaint) return reply.code(400).type('text/html').send(linkPage(link, complaint));
      const signIn = { text: 'Sign in', url: `${productUrl}/login` };
      const done = `The new password of ${link.to} is set.`;
      return reply.type('text/html').send(messagePage('Password changed', done, signIn));
    },
  );
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/html').send(notFound));
  return app;
}
