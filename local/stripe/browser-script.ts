import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

/** In the order in which they need each other. */
const PARTS = [
  'integration-error.js',
  'messages.js',
  'card-fields.js',
  'card-state.js',
  'card-style.js',
  'card-form.js',
  'element-classes.js',
  'element-events.js',
  'card-element.js',
  'requests.js',
  'challenge-dialog.js',
  'next-actions.js',
  'stripe.js',
];

/**
 * Serves `/stripe.js`, which defines `window.Stripe` as Stripe.js does. A page loads Stripe.js as
 * one plain script, so the modules in `browser/` are joined into one, without a bundler: their
 * `import` lines are dropped and their `export` words too, and a function keeps it all private.
 */
export function registerBrowserScript(app: FastifyInstance): void {
  const body = PARTS.map((part) => {
    const source = readFileSync(join(import.meta.dirname, 'browser', part), 'utf8');
    return source.replaceAll(/^import [^;]+;\n/gm, '').replaceAll(/^export (?=\w)/gm, '');
  }).join('\n');

  app.get('/stripe.js', async (request, reply) => {
    void reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin');
    const api = JSON.stringify(`http://${request.host}`);
    return `(() => {\n'use strict';\n${body}\ndefineStripe(window, ${api});\n})();\n`;
  });
}
