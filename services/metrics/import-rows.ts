import { Counter } from 'prom-client';

export const importRows = new Counter({
  name: 'proveklar_import_rows_total',
  help: 'Rows of imported files that are in the ledger, good and bad',
  registers: [],
});
