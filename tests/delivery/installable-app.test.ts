import { describe, expect, test } from 'vitest';
import { themeColour } from '@proveklar/contract/page.ts';
import { buildApp } from '@proveklar/gateway/app.ts';
import { createTestDeps } from '#support/gateway.ts';
import { withPages } from '#support/pages.ts';

const pages = withPages();
const { get } = pages;

describe('the installable app', () => {
  test('has a manifest with its start page and icons', async () => {
    const { headers, body } = await get('/manifest.webmanifest');
    expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(body) as { icons: { src: string; sizes: string }[] };
    expect(manifest).toMatchObject({
      start_url: '/quiz',
      scope: '/',
      display: 'standalone',
      theme_color: themeColour('light', 'light'),
    });
    const page = await get('/quiz');
    expect(page.body).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
    const touch = { src: '/apple-touch-icon.png', sizes: '180x180' };
    expect(page.body).toContain(`<link rel="apple-touch-icon" href="${touch.src}" />`);
    for (const { src, sizes } of [...manifest.icons, touch]) {
      const icon = await get(src);
      expect(icon.headers['content-type'], src).toBe('image/png');
      // The width and height in a PNG's header.
      const [width, height] = [icon.rawPayload.readUInt32BE(16), icon.rawPayload.readUInt32BE(20)];
      expect(`${width}x${height}`, src).toBe(sizes);
    }
  });

  test('has a service worker that is never cached and may run', async () => {
    const { headers, body } = await get('/sw.js');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': expect.stringMatching(/javascript/),
    });
    expect(headers['content-security-policy']).toContain("worker-src 'self'");
    expect(headers['content-security-policy']).toContain("manifest-src 'self'");
    // The cache is named after its content; otherwise a changed page would never replace the cached one.
    expect(body).toMatch(/'offline-[0-9a-f]{12}'/);
    for (const path of ['/offline.html', '/offline.js']) {
      const kept = await get(path);
      expect(kept.statusCode, path).toBe(200);
      expect(kept.headers['cache-control'], path).toBe('no-cache');
    }
    expect((await get('/')).body).toContain('"service_worker":true');
  });

  test('has a service worker that removes itself once it is switched off, and no page registers it', async () => {
    const config = { ...pages.app.deps.config, SERVICE_WORKER: 'off' as const };
    const off = await buildApp(createTestDeps(config));
    try {
      const worker = await off.inject('/sw.js');
      expect(worker.body).toContain('registration.unregister()');
      expect(worker.body).not.toContain("addEventListener('fetch'");
      expect(worker.headers['cache-control']).toBe('no-cache');
      expect((await off.inject('/')).body).toContain('"service_worker":false');
    } finally {
      await off.close();
    }
  });
});
