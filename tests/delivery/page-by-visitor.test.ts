import { describe, expect, test } from 'vitest';
import { themeColour } from '@proveklar/contract/page.ts';
import { withPages } from '#support/pages.ts';

const { get } = withPages();

const languageOf = async (url: string, headers: Record<string, string> = {}) => {
  const response = await get(url, headers);
  const tag = /<html lang="(\w+)"/.exec(response.body)?.[1];
  expect(response.headers['content-language']).toBe(tag);
  return tag;
};

describe('a page that depends on the visitor', () => {
  const signedIn = { cookie: 'colour-scheme=dark; signed-in=1' };
  const PASSWORD = 'name="password"';
  const NEEDS_SCRIPTS = 'Denne siden trenger JavaScript.';

  test.each([
    ['/login', 'Logg inn – Prøveklar'],
    ['/quiz', 'Logg inn – Prøveklar'],
  ])('%s has the sign-in form for a stranger, which needs its code', async (path, title) => {
    const { body } = await get(path);
    expect(body).toContain(`<title>${title}</title>`);
    expect(body).toContain(PASSWORD);
    expect(body).toContain(NEEDS_SCRIPTS);
    // A form submitted by the browser would put the password into the URL.
    expect(body).not.toContain('type="submit"');
    expect(body).not.toContain('{{');
    expect((await get(`${path}?lng=en`)).body).toContain('>Password<');
  });

  test.each(['/quiz?mode=register', '/login?mode=reset', '/login?redirect=/quiz/billing'])(
    '%s is not the sign-in form',
    async (path) => {
      const { statusCode, body } = await get(path);
      expect(statusCode).toBe(200);
      expect(body).not.toContain(PASSWORD);
    },
  );

  test.each(['/login', '/quiz', '/quiz?tab=account', '/quiz/billing'])(
    '%s is a skeleton for a visitor who seems to be signed in',
    async (path) => {
      const { body } = await get(path, signedIn);
      expect(body).not.toContain(PASSWORD);
      expect(body).toContain(NEEDS_SCRIPTS);
      expect(body).toContain('"path":null');
    },
  );

  test('the skeleton of the home has its texts, and no personal data', async () => {
    const { body } = await get('/quiz', signedIn);
    expect(body).toContain('Testhistorikk');
    expect(body).toContain('Start praktisk prøve');
    expect(body.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/(quiz|practice|home)[.]\w/);
    expect((await get('/quiz?lng=en', signedIn)).body).toContain('Start practice test');
  });
});

describe('the language of a page', () => {
  test.each<[string, string, Record<string, string>]>([
    ['nb', '/', {}],
    ['en', '/', { 'accept-language': 'en-GB,en;q=0.9,nb;q=0.1' }],
    ['nb', '/', { 'accept-language': 'en;q=0.3,nn-NO' }],
    ['en', '/', { 'accept-language': 'pl,no;q=0,en;q=0.2' }],
    ['nb', '/', { 'accept-language': 'pl-PL,pl;q=0.9' }],
    ['en', '/', { 'accept-language': 'nb', cookie: 'a=b; i18next=en' }],
    ['nb', '/', { 'accept-language': 'nb', cookie: 'i18next=%22><script>' }],
    ['nb', '/?lng=no', { 'accept-language': 'en', cookie: 'i18next=en' }],
    ['en', '/quiz?lng=de&lng=en', {}],
    ['en', '/?lng=__proto__', { 'accept-language': 'en' }],
  ])('is %s for %s with %j', async (tag, url, headers) => {
    expect(await languageOf(url, headers)).toBe(tag);
  });
});

describe('the colours of a page', () => {
  const coloursOf = async (cookie: string) => {
    const { body } = await get('/', { cookie });
    const bars = Array.from(body.matchAll(/name="theme-color" content="([^"]*)"/g), ([, x]) => x);
    return { scheme: /<html [^>]*data-color-scheme="([^"]*)"/.exec(body)?.[1], bars };
  };
  const [white, dark] = [themeColour('light', 'light'), themeColour('dark', 'dark')];

  test.each([
    ['', 'auto', [white, dark]],
    ['a=b; colour-scheme=dark; i18next=en', 'dark', [dark, dark]],
    ['colour-scheme=light', 'light', [white, white]],
    // An unknown value counts as no choice.
    ['colour-scheme=DARK', 'auto', [white, dark]],
    ['colour-scheme="><script>alert(1)</script>', 'auto', [white, dark]],
    ['colour-scheme=%22%3E{{config}}', 'auto', [white, dark]],
    ['colour-scheme=__proto__', 'auto', [white, dark]],
    ['xcolour-scheme=dark; colour-scheme', 'auto', [white, dark]],
  ])('with the cookie "%s" are %s', async (cookie, scheme, bars) => {
    expect(await coloursOf(cookie)).toEqual({ scheme, bars });
  });

  test('change the page’s ETag, so that a cached page is not used', async () => {
    const { etag } = (await get('/')).headers;
    const dark = await get('/', { cookie: 'colour-scheme=dark', 'if-none-match': String(etag) });
    expect(dark.statusCode).toBe(200);
    expect(dark.headers.vary).toContain('Cookie');
  });
});
