export type AuditFilter = { action?: string | undefined; actor?: string | undefined };

export const auditKeys = {
  all: ['admin', 'audit'] as const,
  list: (filter: AuditFilter) => [...auditKeys.all, 'list', filter] as const,
};
