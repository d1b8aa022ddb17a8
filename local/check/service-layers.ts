/**
 * The layers of `services/`, the lowest first: a folder imports only from layers below its own, so that it
 * can be read without the layers above. Files directly in `services/` are above all layers.
 */
export const SERVICE_LAYERS: readonly (readonly string[])[] = [
  ['config', 'csv', 'errors', 'http'],
  ['counters', 'lifecycle', 'logging'],
  ['identity', 'tracing'],
  ['database'],
  ['audit', 'limits', 'live'],
  ['events', 'glossary', 'images', 'languages', 'settings'],
  ['accounts', 'mail', 'questions'],
  ['feedback', 'learning', 'messages', 'near-duplicates', 'payments', 'statistics'],
  ['imports', 'quiz'],
  ['bank-releases', 'mail-templates', 'portal', 'privacy', 'sample'],
];
