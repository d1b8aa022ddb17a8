/**
 * The floors of `services/`, the ground first: a folder imports from floors below its own only, so that it
 * can be read without what stands on it. Files directly in `services/` stand above all.
 */
export const SERVICE_FLOORS: readonly (readonly string[])[] = [
  ['config', 'errors', 'http'],
  ['counters', 'lifecycle', 'logging'],
  ['identity', 'tracing'],
  ['database'],
  ['audit', 'limits', 'live'],
  ['events', 'languages', 'settings'],
  ['accounts', 'mail', 'questions'],
  ['feedback', 'near-duplicates', 'payments', 'sample', 'statistics'],
  ['imports', 'quiz'],
  ['letters', 'privacy'],
];
