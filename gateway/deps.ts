import { splitList, type GatewayConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import {
  createIdentityProvider,
  type IdentityProvider,
} from '@proveklar/services/identity/identity-provider.ts';
import {
  createTokenVerifier,
  type VerifyToken,
} from '@proveklar/services/identity/verify-token.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { type PayingDeps, paymentMethodsOf } from '@proveklar/services/payments/payment.ts';
import { createStripeClient, isLiveKey } from '@proveklar/services/payments/provider/stripe.ts';

/** The dependencies that routes pass to services. */
export interface GatewayDeps extends PayingDeps {
  db: Database;
  identity: IdentityProvider;
  verifyToken: VerifyToken;
  adminEmails: readonly string[];
  webhookSecrets: readonly string[];
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  trustedProxies: readonly string[];
  config: GatewayConfig;
}

export function createDeps(config: GatewayConfig, onError: (error: Error) => void): GatewayDeps {
  const projectId = config.FIREBASE_PROJECT_ID;
  const emulatorHost = config.FIREBASE_AUTH_EMULATOR_HOST;
  const paymentMethods = paymentMethodsOf(config);
  return {
    config,
    db: createPool(
      config.DATABASE_URL,
      { applicationName: 'gateway', max: config.DATABASE_POOL },
      onError,
    ),
    stripe: createStripeClient({
      secretKey: config.STRIPE_SECRET_KEY,
      apiUrl: config.STRIPE_API_URL,
      paymentMethods,
    }),
    paymentMethods,
    isLive: isLiveKey(config.STRIPE_SECRET_KEY),
    identity: createIdentityProvider({
      projectId,
      apiKey: config.FIREBASE_API_KEY,
      page: config.PUBLIC_URL,
      emulatorHost,
    }),
    verifyToken: createTokenVerifier({
      projectId,
      jwksUrl: config.IDENTITY_JWKS_URL,
      acceptUnsigned: emulatorHost !== undefined,
    }),
    adminEmails: splitList(config.ADMIN_EMAIL.toLowerCase()),
    limits: limitsOf(config),
    withdrawalKey: config.WITHDRAWAL_KEY,
    webhookSecrets: splitList(config.STRIPE_WEBHOOK_SECRET),
    trustedProxies: splitList(config.TRUSTED_PROXIES ?? ''),
  };
}
