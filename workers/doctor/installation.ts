import type { Finding } from '@proveklar/operators/status/finding.ts';
import { readConfig, ServiceConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import type { CheckedStripe } from '@proveklar/services/payments/stripe/check-stripe.ts';
import { createStripeClient } from '@proveklar/services/payments/stripe/stripe-client.ts';

/** What is looked at: the settings that are well, and what they lead to. */
export interface Installation {
  config: Partial<ServiceConfig>;
  /** What is wrong with the other settings. */
  problems: string[];
  isProduction: boolean;
  /** Null without DATABASE_URL. */
  db: Database | null;
  /** Null without STRIPE_SECRET_KEY. */
  stripe: CheckedStripe | null;
}

/** One thing that is looked at; what it throws is a fault. */
export interface Check {
  name: string;
  run: (installation: Installation) => Promise<Finding[]> | Finding[];
}

/** Opens what the checks share. Nothing is connected before one of them asks. */
export function openInstallation(environment: Record<string, string | undefined>): Installation {
  const { values: config, problems } = readConfig(ServiceConfig, environment);
  const { DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: secretKey } = config;
  return {
    config,
    problems,
    isProduction: config.NODE_ENV === 'production',
    db: databaseUrl ? createPool(databaseUrl, { applicationName: 'doctor', max: 5 }) : null,
    stripe: secretKey ? createStripeClient({ secretKey, apiUrl: config.STRIPE_API_URL }) : null,
  };
}
