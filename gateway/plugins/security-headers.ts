import fp from 'fastify-plugin';
import { helmetHeaders } from '@proveklar/services/http/helmet-headers.ts';
import { GOOGLE_IDENTITY } from '#pages/pages.ts';

const STRIPE = ['https://js.stripe.com', 'https://*.js.stripe.com'];

/** Endpoint for CSP reports: gateway/routes/browser-reports.ts. */
const REPORTS_PATH = '/api/v1/csp-reports';

/** Features that no page or frame may use. Only names that browsers know: they warn of others. */
const DENIED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * Allows only our code, Stripe's and Google's sign-in to run in the browser, and forbids caching of
 * responses that needed a token. Reasons for each exception: docs/operations/browser-policy.md.
 */
export const securityHeadersPlugin = fp(
  async (app) => {
    const { config } = app.deps;
    const stripeStandIn = config.STRIPE_API_URL ? [new URL(config.STRIPE_API_URL).origin] : [];
    const emulator = config.FIREBASE_AUTH_EMULATOR_HOST
      ? [`http://${config.FIREBASE_AUTH_EMULATOR_HOST}`]
      : [];
    const headers = helmetHeaders({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'self'"],
          'script-src': ["'self'", ...STRIPE, 'https://apis.google.com', ...stripeStandIn],
          'style-src': ["'self'"],
          // For placeholders of prerendered pages, and frames that Stripe's script creates.
          'style-src-attr': ["'unsafe-inline'"],
          'img-src': ["'self'", 'data:', 'https://*.stripe.com'],
          'font-src': ["'self'"],
          'manifest-src': ["'self'"],
          'worker-src': ["'self'"],
          'connect-src': [
            "'self'",
            'https://api.stripe.com',
            ...GOOGLE_IDENTITY,
            ...stripeStandIn,
            ...emulator,
          ],
          'frame-src': [
            ...STRIPE,
            'https://hooks.stripe.com',
            `https://${config.FIREBASE_AUTH_DOMAIN}`,
            ...stripeStandIn,
          ],
          'frame-ancestors': ["'none'"],
          'form-action': ["'self'"],
          'base-uri': ["'none'"],
          'object-src': ["'none'"],
          // Browsers without `report-to` use `report-uri`.
          'report-uri': [REPORTS_PATH],
          'report-to': ['csp'],
        },
      },
      // Google's sign-in popup must reach the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      strictTransportSecurity: config.PUBLIC_URL.startsWith('https:'),
    });

    const payment = ['self', ...[...STRIPE, ...stripeStandIn].map((origin) => `"${origin}"`)];
    const permissions = [
      ...DENIED_FEATURES.map((feature) => `${feature}=()`),
      `payment=(${payment.join(' ')})`,
    ].join(', ');

    headers['permissions-policy'] = permissions;
    headers['reporting-endpoints'] = `csp="${REPORTS_PATH}"`;
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });

    // Responses that needed a token are personal, errors included: neither browsers nor proxies may cache
    // them. Live streams bypass this hook and set the header themselves.
    app.addHook('onSend', async (request, reply) => {
      const { access = 'public' } = request.routeOptions.config;
      if (access !== 'public') reply.header('cache-control', 'no-store');
    });
  },
  { name: 'security-headers' },
);
