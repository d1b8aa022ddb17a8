import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

const STRIPE = ['https://js.stripe.com', 'https://*.js.stripe.com'];
const GOOGLE_IDENTITY = [
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
];

/** Where browsers report what they refused: gateway/routes/csp-reports.ts. */
const REPORTS = '/api/v1/csp-reports';

/** What no page of ours uses, and no frame in it may. Browsers complain of a name that they do not know. */
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
 * Lets the browser run our code, Stripe's and Google's sign-in and nothing else, and keep no answer that
 * needed a token. What each exception is for: docs/operations/browser-policy.md.
 */
export const securityHeadersPlugin = fp(
  async (app) => {
    const { config } = app.deps;
    const stripeStandIn = config.STRIPE_API_URL ? [new URL(config.STRIPE_API_URL).origin] : [];
    const emulator = config.FIREBASE_AUTH_EMULATOR_HOST
      ? [`http://${config.FIREBASE_AUTH_EMULATOR_HOST}`]
      : [];
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'self'"],
          'script-src': ["'self'", ...STRIPE, 'https://apis.google.com', ...stripeStandIn],
          'style-src': ["'self'"],
          // Of the prerendered pages' own placeholders, and of the frames that Stripe's script makes.
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
          // Browsers that know `report-to` take that, the others the older one.
          'report-uri': [REPORTS],
          'report-to': ['csp'],
        },
      },
      // Google's sign-in window must be able to answer the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      strictTransportSecurity: config.PUBLIC_URL.startsWith('https:'),
    });

    const payment = ['self', ...[...STRIPE, ...stripeStandIn].map((origin) => `"${origin}"`)];
    const permissions = [
      ...DENIED_FEATURES.map((feature) => `${feature}=()`),
      `payment=(${payment.join(' ')})`,
    ].join(', ');

    // What needed a token is one person's: neither a browser nor a proxy keeps it. Errors too, of which
    // some name what is theirs. Live streams, which no hook sees, say it themselves.
    app.addHook('onSend', async (request, reply) => {
      reply.header('permissions-policy', permissions);
      reply.header('reporting-endpoints', `csp="${REPORTS}"`);
      const { access = 'public' } = request.routeOptions.config;
      if (access !== 'public') reply.header('cache-control', 'no-store');
    });
  },
  { name: 'security-headers' },
);
