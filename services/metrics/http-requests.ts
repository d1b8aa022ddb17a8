import { Counter, Histogram } from 'prom-client';

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
