import { Counter } from 'prom-client';

export const databaseErrors = new Counter({
  name: 'proveklar_db_errors_total',
  help: 'Errors that PostgreSQL answered, by SQLSTATE; 08006 is a connection that broke or was refused',
  labelNames: ['sqlstate'],
  registers: [],
});
