import { readConfig, ServiceConfig, splitList } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import type { CheckedStripe } from '@proveklar/services/payments/incoming/check-stripe.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';

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

/** The settings of all processes together. */
export const configuration: Check = {
  name: 'Configuration',
  run(installation) {
    const { config, problems, isProduction } = installation;
    const faults = problems.map((problem) =>
      fault(problem, 'Correct it in .env or in the environment; .env.example says what it means.'),
    );
    const set = Object.values(config).filter((value) => value !== undefined).length;
    const all = ok(`${set} settings, for ${isProduction ? 'production' : 'a local stack'}`);
    return [...(faults.length > 0 ? faults : [all]), ...administrators(installation)];
  },
};

const ADDRESS = /^[^@\s<>",]+@[^@\s<>",]+[.][^@\s<>",]+$/;

function administrators({ config }: Installation): Finding[] {
  const { ADMIN_EMAIL: admins } = config;
  if (!admins) return [];
  const addresses = splitList(admins);
  const wrong = addresses.filter((address) => !ADDRESS.test(address));
  if (wrong.length > 0) {
    return [
      fault(
        `ADMIN_EMAIL holds what is no address: ${wrong.join(', ')}`,
        'Name addresses of Google accounts in ADMIN_EMAIL, separated by commas.',
      ),
    ];
  }
  return [ok(`administrators: ${addresses.join(', ')}`)];
}

/** Findings from our own tables; the database's own check says what is wrong with the database. */
export async function readBooks(
  { db }: Installation,
  read: (db: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!db) return [unchecked('DATABASE_URL is not set')];
  return read(db).catch((error: unknown) => [unchecked(`the database: ${reasonOf(error)}`)]);
}

const NOTICED_MS = 5_000;
const TOO_FAR_MS = 60_000;

/**
 * What a difference between two clocks means: signatures of Stripe and tokens of the identity
 * provider are good for minutes only.
 *
 * @param aheadMs milliseconds by which the other clock is ahead of this machine's
 */
export function compareClocks(other: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  const found = `clock of ${other}: ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'Let all machines set their clocks by NTP.';
  if (Math.abs(aheadMs) > TOO_FAR_MS) return fault(found, advice);
  if (Math.abs(aheadMs) > NOTICED_MS) return warning(found, advice);
  return ok(`clock of ${other}: the same as here`);
}
