export type AuditFilter = {
  action?: string | undefined;
  actor?: string | undefined;
  /** What it was done to, such as a payment's id. */
  subject?: string | undefined;
};

export const auditKeys = {
  all: ['admin', 'audit'] as const,
  list: (filter: AuditFilter) => [...auditKeys.all, 'list', filter] as const,
};
