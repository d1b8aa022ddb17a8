import type { LimitsConfig } from '@proveklar/services/config/config.ts';

/** Limits that no test reaches: all tests call from one IP address, and some start many quizzes. */
export const WIDE_LIMITS: LimitsConfig = {
  INTENTS_PER_ADDRESS: 100_000,
  INTENTS_PER_EMAIL: 100_000,
  INTENTS_PER_ADDRESS_AFTER_DECLINES: 100_000,
  DECLINES_BEFORE_LIMIT: 5,
  EXPORTS_PER_ACCOUNT: 5,
  PROFILE_CHANGES_PER_ACCOUNT: 60,
  QUIZZES_PER_ACCOUNT: 100_000,
  OPEN_DRILLS_PER_ACCOUNT: 100_000,
  REPORTS_PER_ACCOUNT: 100_000,
  TRANSLATIONS_PER_ACCOUNT: 100_000,
  PUBLIC_CALLS_PER_ADDRESS: 1_000_000,
};
