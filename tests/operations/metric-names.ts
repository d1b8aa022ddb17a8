/** What dashboards and alerts read, with the labels, and which processes say it. */
export const METRICS = {
  proveklar_http_requests_total: { labels: ['method', 'route', 'status'], of: ['gateway'] },
  proveklar_http_request_duration_seconds: {
    labels: ['method', 'route', 'status'],
    of: ['gateway'],
  },
  proveklar_connections_cut_total: { labels: ['reason'], of: ['gateway'] },
  proveklar_live_streams: { labels: [], of: ['gateway'] },
  proveklar_jobs: { labels: ['queue', 'state'], of: ['workers'] },
  proveklar_queue_oldest_seconds: { labels: ['queue'], of: ['workers'] },
  proveklar_jobs_failed_total: { labels: ['queue'], of: ['workers'] },
  proveklar_jobs_stalled_total: { labels: ['queue'], of: ['workers'] },
  proveklar_job_duration_seconds: { labels: ['queue'], of: ['workers'] },
  proveklar_queue_paused: { labels: ['queue'], of: ['workers'] },
  proveklar_canary_age_seconds: { labels: ['queue'], of: ['workers'] },
  proveklar_outbox_events: { labels: [], of: ['workers'] },
  proveklar_outbox_oldest_seconds: { labels: [], of: ['workers'] },
  proveklar_oldest_unconsumed_seconds: { labels: [], of: ['workers'] },
  proveklar_db_pool_connections: { labels: ['state'], of: ['gateway', 'workers'] },
  proveklar_db_pool_waiting: { labels: [], of: ['gateway', 'workers'] },
  proveklar_db_errors_total: { labels: ['sqlstate'], of: ['gateway', 'workers'] },
  proveklar_webhook_delay_seconds: { labels: ['stage'], of: ['gateway', 'workers'] },
  proveklar_webhook_last_timestamp_seconds: { labels: [], of: ['workers'] },
  proveklar_imports: { labels: ['state'], of: ['workers'] },
  proveklar_import_rows_total: { labels: [], of: ['workers'] },
  proveklar_events_total: { labels: ['event'], of: ['workers'] },
  proveklar_identity_keys_age_seconds: { labels: [], of: ['gateway'] },
  proveklar_backup_age_seconds: { labels: [], of: ['workers'] },
  proveklar_payments_attention: { labels: [], of: ['workers'] },
  proveklar_build_info: { labels: ['version', 'kind'], of: ['gateway', 'workers'] },
} as const;

export type MetricName = keyof typeof METRICS;
