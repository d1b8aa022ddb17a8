import type { LimitsConfig, WorkersConfig } from '#config/config.ts';
import type { Database } from '#database/pool.ts';
import { createIdentityProvider } from '#identity/identity-provider.ts';
import { limitsOf } from '#limits/limits.ts';
import { type PayingDeps, paymentMethodsOf } from './payment.ts';
import { createStripeClient, isLiveKey } from './provider/stripe.ts';

type PaymentConfig = LimitsConfig &
  Pick<
    WorkersConfig,
    | 'FIREBASE_API_KEY'
    | 'FIREBASE_AUTH_EMULATOR_HOST'
    | 'FIREBASE_PROJECT_ID'
    | 'PAYMENT_METHODS'
    | 'PUBLIC_URL'
    | 'STRIPE_API_URL'
    | 'STRIPE_SECRET_KEY'
    | 'WITHDRAWAL_KEY'
  >;

/** What payments need, by the configuration of the process: the same in the gateway, the workers and the commands. */
export function createPaymentDeps(config: PaymentConfig, db: Database): PayingDeps {
  const paymentMethods = paymentMethodsOf(config);
  return {
    db,
    stripe: createStripeClient({
      secretKey: config.STRIPE_SECRET_KEY,
      apiUrl: config.STRIPE_API_URL,
      paymentMethods,
    }),
    paymentMethods,
    isLive: isLiveKey(config.STRIPE_SECRET_KEY),
    identity: createIdentityProvider({
      projectId: config.FIREBASE_PROJECT_ID,
      apiKey: config.FIREBASE_API_KEY,
      page: config.PUBLIC_URL,
      emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
    }),
    limits: limitsOf(config),
    withdrawalKey: config.WITHDRAWAL_KEY,
  };
}
