import { splitList, type GatewayConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import {
  createTokenVerifier,
  type VerifyToken,
} from '@proveklar/services/identity/verify-token.ts';
import { createPaymentDeps } from '@proveklar/services/payments/create-payment-deps.ts';
import type { PayingDeps } from '@proveklar/services/payments/payment.ts';

/** The dependencies that routes pass to services. */
export interface GatewayDeps extends PayingDeps {
  verifyToken: VerifyToken;
  adminEmails: readonly string[];
  webhookSecrets: readonly string[];
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  trustedProxies: readonly string[];
  config: GatewayConfig;
}

export function createDeps(config: GatewayConfig, onError: (error: Error) => void): GatewayDeps {
  const db = createPool(
    config.DATABASE_URL,
    { applicationName: 'gateway', max: config.DATABASE_POOL },
    onError,
  );
  return {
    ...createPaymentDeps(config, db),
    config,
    verifyToken: createTokenVerifier({
      projectId: config.FIREBASE_PROJECT_ID,
      jwksUrl: config.IDENTITY_JWKS_URL,
      acceptUnsigned: config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
    }),
    adminEmails: splitList(config.ADMIN_EMAIL.toLowerCase()),
    webhookSecrets: splitList(config.STRIPE_WEBHOOK_SECRET),
    trustedProxies: splitList(config.TRUSTED_PROXIES ?? ''),
  };
}
