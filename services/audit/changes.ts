export type Changes = Record<string, { before: unknown; after: unknown }>;

/** The fields whose value would become another, each with what it was and what it will be. */
export function changesBetween<T extends object>(before: T, after: Partial<T>): Changes {
  return Object.fromEntries(
    Object.entries(after).flatMap(([field, value]) => {
      const was = before[field as keyof T];
      return value === undefined || value === was ? [] : [[field, { before: was, after: value }]];
    }),
  );
}
