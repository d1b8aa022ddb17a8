import { readConfig, ServiceConfig, splitList } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import type { CheckedStripe } from '@proveklar/services/payments/incoming/check-stripe.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';

/** What the checks share: the valid settings, and the clients made from them. */
export interface Installation {
  config: Partial<ServiceConfig>;
  /** Faults of the invalid settings. */
  problems: string[];
  isProduction: boolean;
  /** Null without DATABASE_URL. */
  db: Database | null;
  /** Null without STRIPE_SECRET_KEY. */
  stripe: CheckedStripe | null;
  /** Whether a check may register at a provider what is missing there. */
  registers: boolean;
}

/** One check; an error that it throws is reported as a fault. */
export interface Check {
  name: string;
  run: (installation: Installation) => Promise<Finding[]> | Finding[];
}

/** Creates what the checks share. Nothing connects before a check uses it. */
export function openInstallation(
  environment: Record<string, string | undefined>,
  { registers = false }: { registers?: boolean } = {},
): Installation {
  const { values: config, problems } = readConfig(ServiceConfig, environment);
  const { DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: secretKey } = config;
  return {
    config,
    problems,
    isProduction: config.NODE_ENV === 'production',
    db: databaseUrl ? createPool(databaseUrl, { applicationName: 'doctor', max: 5 }) : null,
    stripe: secretKey ? createStripeClient({ secretKey, apiUrl: config.STRIPE_API_URL }) : null,
    registers,
  };
}

/** The settings of all processes. */
export const configuration: Check = {
  name: 'Configuration',
  run(installation) {
    const { config, problems, isProduction } = installation;
    const faults = problems.map((problem) =>
      fault(problem, 'Correct it in .env or in the environment; .env.example says what it means.'),
    );
    const set = Object.values(config).filter((value) => value !== undefined).length;
    const all = ok(`${set} settings, for ${isProduction ? 'production' : 'a local stack'}`);
    return [...(faults.length > 0 ? faults : [all]), ...checkAdministrators(installation)];
  },
};

const ADDRESS = /^[^@\s<>",]+@[^@\s<>",]+[.][^@\s<>",]+$/;

function checkAdministrators({ config }: Installation): Finding[] {
  const { ADMIN_EMAIL: admins } = config;
  if (!admins) return [];
  const addresses = splitList(admins);
  const wrong = addresses.filter((address) => !ADDRESS.test(address));
  if (wrong.length > 0) {
    return [
      fault(
        `ADMIN_EMAIL has invalid addresses: ${wrong.join(', ')}`,
        'Set ADMIN_EMAIL to addresses of Google accounts, separated by commas.',
      ),
    ];
  }
  return [ok(`administrators: ${addresses.join(', ')}`)];
}

/** Runs a check that reads the database; where that fails, the check `Database` reports why. */
export async function withDatabase(
  { db }: Installation,
  read: (db: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!db) return [unchecked('DATABASE_URL is not set')];
  return read(db).catch((error: unknown) => [unchecked(`the database: ${reasonOf(error)}`)]);
}

const CLOCK_WARNING_MS = 5_000;
const CLOCK_FAULT_MS = 60_000;

/**
 * Evaluates the difference between two clocks: Stripe's signatures and the identity provider's tokens
 * are valid for minutes only.
 *
 * @param aheadMs milliseconds by which the other clock is ahead of this host's
 */
export function compareClocks(other: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  const found = `clock of ${other}: ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this host`;
  const advice = 'Synchronize the clocks of all hosts by NTP.';
  if (Math.abs(aheadMs) > CLOCK_FAULT_MS) return fault(found, advice);
  if (Math.abs(aheadMs) > CLOCK_WARNING_MS) return warning(found, advice);
  return ok(`clock of ${other}: in sync with this host`);
}
