import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

const STRIPE = ['https://js.stripe.com', 'https://*.js.stripe.com'];
const GOOGLE_IDENTITY = [
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
];

/** Lets the browser run our code, Stripe's and Google's sign-in, and nothing else; and keep nothing. */
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
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:'],
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
        },
      },
      // Google's sign-in window must be able to answer the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      strictTransportSecurity: config.PUBLIC_URL.startsWith('https:'),
    });

    // What needed a token is one person's: neither a browser nor a proxy keeps it. Errors too, of which
    // some name what is theirs. Live streams, which no hook sees, say it themselves.
    app.addHook('onSend', async (request, reply) => {
      const { access = 'public' } = request.routeOptions.config;
      if (access !== 'public') reply.header('cache-control', 'no-store');
    });
  },
  { name: 'security-headers' },
);
