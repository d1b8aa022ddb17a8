import { Counter, Histogram } from 'prom-client';
import { CUT_REASONS } from '#http/bounded-server.ts';

export const httpRequests = new Counter({
  name: 'proveklar_http_requests_total',
  help: 'Requests answered, by route and status; 499 is a client that left before the answer',
  labelNames: ['method', 'route', 'status'],
  registers: [],
});

export const httpDuration = new Histogram({
  name: 'proveklar_http_request_duration_seconds',
  help: 'How long requests took; without live streams, imports and downloads, which take as long as they are',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [],
});

export const connectionsCut = new Counter({
  name: 'proveklar_connections_cut_total',
  help: 'Connections that the gateway ended because of a limit: too many, too many requests at once, answers not read, headers or bodies too slow',
  labelNames: ['reason'],
  registers: [],
});

// A rate cannot be told from a series that begins at 1.
for (const reason of CUT_REASONS) connectionsCut.inc({ reason }, 0);
