import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { PRERENDERED, SHARED_SHELLS } from '@proveklar/contract/page.ts';
import { buildApp } from '@proveklar/gateway/app.ts';
import { createTestDeps } from '#support/gateway.ts';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import { createQuestions, setPrice } from '#support/factories.ts';
import { withPages } from '#support/pages.ts';

const pages = withPages();
const { gateway, assets, get } = pages;

describe('a page', () => {
  test.each([
    ['/', 'Bli klar for prøven'],
    ['/personvern', 'Sist oppdatert 14. januar 2025'],
    ['/vilkar', 'Sist oppdatert 14. januar 2025'],
    ['/cookies', 'Sist oppdatert 14. januar 2025'],
    ['/tilgjengelighet', 'Tilgjengelighetserklæring</h1>'],
    ['/angrerett', 'Angrerettskjema'],
  ])('%s has its content, and no unfilled slot', async (path, text) => {
    const { statusCode, body, headers } = await get(path);
    expect(statusCode).toBe(200);
    expect(body).toContain(text);
    expect(body).not.toContain('{{');
    expect(body).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))/);
    expect(body).toContain(`<link rel="canonical" href="https://example.no${path}">`);
    expect(body).toContain(`hreflang="en" href="https://example.no${path}?lng=en"`);
    expect(body).toMatch(/<meta property="og:title" content="[^"]+">/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding, Accept-Language, Cookie',
    });
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(headers['content-security-policy']).toMatch(
      /style-src 'self';.*report-uri \/api\/v1\/csp-reports;report-to csp/,
    );
    expect(headers).toMatchObject({
      'reporting-endpoints': 'csp="/api/v1/csp-reports"',
      'permissions-policy': expect.stringMatching(/camera=\(\).*payment=\(self "https:\/\/js\./),
    });
  });

  test.each([
    ['/personvern', 'Privacy'],
    ['/vilkar', 'Terms'],
    ['/cookies', 'Cookies'],
    ['/tilgjengelighet', 'Accessibility statement'],
  ])('%s has an English version', async (path, title) => {
    const { body } = await get(`${path}?lng=en`);
    expect(body).toContain('<html lang="en"');
    expect(body).toContain(`<title>${title} – Prøveklar</title>`);
    expect(body).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
    expect(body).toContain('the Norwegian text decides');
    expect(body).not.toContain('Sist oppdatert');
  });

  test.each([...Object.keys(PRERENDERED), ...SHARED_SHELLS.map((name) => `/${name}`)])(
    '%s is its own canonical page in both languages, in every browser',
    async (path) => {
      for (const url of [path, `${path}?lng=en`]) {
        for (const language of ['nb', 'en']) {
          const { body } = await get(url, { 'accept-language': language });
          const hrefs = (tag: RegExp) => Array.from(body.matchAll(tag), ([, href]) => href);
          // Without this address among its languages, a crawler would drop the page (Lighthouse's rule).
          expect(hrefs(/hreflang="[\w-]+" href="([^"]+)"/g)).toContain(`https://example.no${url}`);
          expect(hrefs(/rel="canonical" href="([^"]+)"/g)).toEqual([`https://example.no${url}`]);
          expect(hrefs(/property="og:url" content="([^"]+)"/g)).toEqual([
            `https://example.no${url}`,
          ]);
        }
      }
    },
  );

  test('has footer links only to pages of its own and to the admin portal', async () => {
    const [, foot = ''] = (await get('/')).body.split('<footer');
    const paths = Array.from(foot.matchAll(/href="(\/[^"]*)"/g), ([, path]) => path!);
    expect(paths).toContain('/tilgjengelighet');
    const known = [
      ...Object.keys(PRERENDERED),
      ...SHARED_SHELLS.map((name) => `/${name}`),
      '/status',
      '/admin',
    ];
    for (const path of paths) expect(known).toContain(path);
  });

  test.each(['/quiz/billing', '/admin', '/admin/dashboard', '/smakebit'])(
    '%s is a skeleton, with a title',
    async (path) => {
      const { statusCode, body } = await get(path);
      expect(statusCode).toBe(200);
      expect(body).toMatch(/<title>.+ – Prøveklar<\/title>/);
      expect(body).toContain('"path":null');
      expect(body).toContain('role="status"');
      expect(body).toMatch(/<noscript>.*JavaScript.*<\/noscript>/);
      expect(body).not.toContain('aria-current');
    },
  );

  test.each([
    '/nothing',
    '/login/x',
    '/smakebit/x',
    '/quizzes',
    '/index.html',
    '/pages/landing.days.no.html',
    '/constructor',
  ])('%s is answered with 404 and a page that says so', async (path) => {
    const { statusCode, body } = await get(path, { 'if-none-match': '*' });
    expect(statusCode).toBe(404);
    expect(body).toContain('Vi fant ikke siden');
  });

  test('with a trailing slash redirects to the page without it, and to no other site', async () => {
    const { statusCode, headers } = await get('/vilkar/?lng=en');
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 308,
      location: '/vilkar?lng=en',
    });
    for (const path of ['//example.org/', '//example.org/vilkar/', '/nothing/']) {
      const elsewhere = await get(path);
      expect(elsewhere.statusCode, path).toBe(404);
      expect(elsewhere.headers.location).toBeUndefined();
    }
  });

  test('embeds the data for its code, with any characters in it', async () => {
    const { body } = await get('/?lng=en');
    const [, data = ''] = /id="page-data">(.*)<\/script>/.exec(body) ?? [];
    expect(data).not.toContain('<');
    const { body: config } = await gateway.call('GET', '/config');
    const expected = { ...config, support_email: 'hjelp&"<svar>@example.no' };
    const { body: exams } = await gateway.call('GET', '/exams');
    const landing = { question: null, ...exams, questions: 0 };
    expect(JSON.parse(data)).toEqual({
      language: 'en',
      path: '/',
      service_worker: true,
      config: expected,
      config_is_old: false,
      landing,
    });
    expect(body).toContain('href="mailto:hjelp&amp;&quot;&lt;svar&gt;@example.no"');
  });

  test('that waits for the session of a visitor who seems to be signed in opens its connections', async () => {
    const preconnects = async (path: string, cookie: string) => {
      const { body } = await get(path, { cookie });
      return Array.from(body.matchAll(/rel="preconnect" href="([^"]+)"/g), ([, href]) => href);
    };
    const { emulator_url: emulator } = (await gateway.call('GET', '/config')).body.identity;
    const origins =
      emulator === null
        ? ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
        : [emulator];
    for (const path of ['/quiz', '/quiz/history', '/admin/dashboard'])
      expect(await preconnects(path, 'signed-in=1'), path).toEqual(origins);
    expect(await preconnects('/', 'signed-in=1')).toEqual([]);
    expect(await preconnects('/quiz', '')).toEqual([]);
  });

  test('has the length in its Content-Length, also for HEAD', async () => {
    const whole = await get('/');
    const head = await get('/', {}, 'HEAD');
    expect(Number(whole.headers['content-length'])).toBe(whole.rawPayload.length);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    expect(head.rawPayload).toHaveLength(0);
  });
});

describe('the price on the landing page', () => {
  /** Polls until the page shows the text: a changed price may take a second. */
  const shows = (text: string, url = '/') =>
    expect.poll(async () => (await get(url)).body).toContain(text);

  test('is the current price, with matching wording', async () => {
    const { pool } = gateway.database;
    await shows('149\u00a0kr');
    expect((await get('/')).body).toContain('for 30 dager');
    expect((await get('/?lng=en')).body).toContain('NOK\u00a0149<');
    const { etag } = (await get('/')).headers;
    await setPrice(pool, 199_950, 1);
    await shows('1\u00a0999,50\u00a0kr');
    expect((await get('/')).body).toContain('for 1 dag<');
    expect((await get('/?lng=en')).body).toContain('for 1 day<');
    expect((await get('/')).headers.etag).not.toBe(etag);
    expect((await get('/')).body).not.toContain('inkl. mva.');
    await changeSettings(pool, 'admin@example.no', { seller_vat_registered: true });
    await shows('inkl. mva.');
    await changeSettings(pool, 'admin@example.no', { seller_vat_registered: false });
    await expect.poll(async () => (await get('/')).body).not.toContain('inkl. mva.');
    expect((await get('/')).body).toContain('for 1 dag<');
    await setPrice(pool, 0);
    await shows('Tjenesten er gratis nå');
    await setPrice(pool, 14_900);
    await shows('149\u00a0kr');
  });
});

test('a page shows the support address that an administrator has set', async () => {
  const admin = 'admin@example.no';
  const change = (support_email: string | null) =>
    changeSettings(gateway.database.pool, admin, { support_email });
  const shows = (text: string) => expect.poll(async () => (await get('/')).body).toContain(text);
  await change('en-annen@example.no');
  await shows('href="mailto:en-annen@example.no"');
  expect((await get('/.well-known/security.txt')).body).toContain('Contact: mailto:en-annen@');
  await change(null);
  await shows('href="mailto:hjelp&amp;');
});

test('a page with settings that could not be read in time tells its code to read them again', async () => {
  const isOld = async () => /"config_is_old":(\w+)/.exec((await get('/vilkar')).body)?.[1];
  expect(await isOld()).toBe('false');
  const holder = await gateway.database.pool.connect();
  try {
    await holder.query('begin; lock table settings in access exclusive mode');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    expect(await isOld()).toBe('true');
  } finally {
    vi.useRealTimers();
    await holder.query('rollback');
    holder.release();
  }
  await expect.poll(isOld).toBe('false');
});

test('a page shows the seller once an administrator has set one', async () => {
  const { pool } = gateway.database;
  expect((await get('/vilkar')).body).not.toContain('Org.nr.');
  await changeSettings(pool, 'admin@example.no', {
    seller_name: 'Øv & Bestå {{price}} AS',
    seller_organisation_number: '923609016',
    seller_address: 'Storgata 1\r\n0155 Oslo\n',
    seller_vat_registered: true,
  });
  const line =
    'Øv &amp; Bestå {{price}} AS · Org.nr.\u00a0923\u00a0609\u00a0016\u00a0MVA · Storgata 1, 0155 Oslo';
  const terms = async () => (await get('/vilkar')).body;
  await expect.poll(terms).toContain(`>${line}</p>`);
  await changeSettings(pool, 'admin@example.no', { seller_name: null });
  await expect.poll(terms).not.toContain('Org.nr.');
});

describe('a page in the browser’s cache', () => {
  test('is answered with 304 while it is current', async () => {
    const { headers } = await get('/', { 'accept-encoding': 'br' });
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': known });
      expect(again.statusCode, known).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
      expect(again.headers.vary).toContain('Cookie');
    }
  });

  test('is sent again when the cached copy differs', async () => {
    const { headers } = await get('/', { 'accept-encoding': 'br' });
    const known = { 'if-none-match': String(headers.etag) };
    expect((await get('/', known)).statusCode).toBe(200);
    expect((await get('/?lng=en', { ...known, 'accept-encoding': 'br' })).statusCode).toBe(200);
    expect((await get('/vilkar', { ...known, 'accept-encoding': 'br' })).statusCode).toBe(200);
  });
});

describe('a compressed response', () => {
  const script = () => `/assets/${assets().find((name) => /^index-.*\.js$/.test(name)) ?? ''}`;

  test.each([
    ['the page', () => '/'],
    ['a module', script],
    ['the icon', () => '/favicon.svg'],
  ])('has the same content in every encoding: %s', async (_name, url) => {
    const plain = await get(url());
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get(url(), { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(url(), { 'accept-encoding': 'gzip' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    for (const response of [plain, brotli, gzip]) {
      expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length);
      expect(response.headers.vary).toContain('Accept-Encoding');
    }
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length);
  });

  test('is not sent to a client that does not accept it', async () => {
    const { headers } = await get('/', { 'accept-encoding': 'br;q=0, gzip;q=0' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('may be cached, a module for ever, the icon for a day', async () => {
    expect((await get(script())).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/javascript; charset=utf-8$/),
    });
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400');
  });
});

test('the licences of what browsers load are served, of scripts, style sheets and the typeface', async () => {
  const { body, headers } = await get('/third-party-licences.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  for (const heading of ['react', '@digdir/designsystemet-css', '@fontsource-variable/inter']) {
    expect(body).toContain(`\n## ${heading} - `);
  }
  expect(body).toContain('SIL OPEN FONT LICENSE');
});

describe('for crawlers', () => {
  test('robots.txt names the sitemap, and the sitemap every public page', async () => {
    const robots = await get('/robots.txt');
    expect(robots.body).toContain('Sitemap: https://example.no/sitemap.xml');
    const { body, headers } = await get('/sitemap.xml');
    expect(headers['content-type']).toMatch(/xml/);
    const addresses = Array.from(body.matchAll(/<loc>https:\/\/example.no([^<]+)/g), ([, x]) => x);
    const pages = Object.keys(PRERENDERED).length + SHARED_SHELLS.length;
    expect(addresses).toHaveLength(2 * pages);
    for (const address of addresses) expect((await get(address!)).statusCode).toBe(200);
  });
});

describe('/.well-known/security.txt', () => {
  test('names the contact for a vulnerability, in two languages, and expires within a year', async () => {
    const { statusCode, headers, body } = await get('/.well-known/security.txt');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    });
    const fields = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(fields).toEqual([
      'Contact: mailto:hjelp&%22%3Csvar%3E@example.no',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'Preferred-Languages: no, en',
      'Canonical: https://example.no/.well-known/security.txt',
    ]);
    const days = (Date.parse(fields[1]!.slice(9)) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(300);
    expect(body).toMatch(/# Har du funnet .*# Have you found /s);
  });

  test('names a contact of its own where one is set', async () => {
    const { config } = pages.app.deps;
    const SECURITY_CONTACT = 'https://example.no/sikkerhet';
    const app = await buildApp(createTestDeps({ ...config, SECURITY_CONTACT }));
    const { body } = await app.inject('/.well-known/security.txt');
    await app.close();
    expect(body).toContain('\nContact: https://example.no/sikkerhet\n');
  });
});

test.each([
  '/assets/../pages/landing.days.no.html',
  '/assets/%2e%2e/pages/landing.days.no.html',
  '/assets/..%2fpages%2flanding.days.no.html',
  '/assets/....//pages/landing.days.no.html',
  '/assets/%2e%2e%5cpages%5clanding.days.no.html',
  '/../package.json',
  '/..%2fpackage.json',
  '/assets/%00',
  '/.built-from',
  '/favicon.svg.br',
])('%s does not lead out of the folder of built files', async (path) => {
  const { statusCode, body } = await get(path);
  expect([400, 403, 404]).toContain(statusCode);
  expect(body).not.toMatch(/\{\{|"workspaces"/);
});

test('the landing page says how many questions there are, and nothing of an empty bank', async () => {
  const counted = ({ body }: { body: string }) =>
    /<li data-count="([^"]*)">.*?<\/svg>([^<]*)</.exec(body)?.slice(1);
  // The style sheet hides it.
  expect(counted(await get('/'))).toEqual(['0', '0 spørsmål å øve på']);
  await createQuestions(gateway.database.pool, { count: 1234 });
  // Another gateway, because the first may keep what it read for some seconds.
  const app = await buildApp(createTestDeps(pages.app.deps.config));
  try {
    const number = '1\u00a0234';
    expect(counted(await app.inject('/'))).toEqual([number, `${number} spørsmål å øve på`]);
    // English has none, so its sample is the Norwegian one.
    const english = await app.inject('/?lng=en');
    expect(counted(english)).toEqual(['1,234', '1,234 questions to practise']);
  } finally {
    await app.close();
  }
});
