import type { Import } from '@proveklar/contract/imports.ts';

/** A gateway of the version before does not say. */
export const notOfferedOf = (one: Import): Import['not_offered'] =>
  (one as Partial<Import>).not_offered ?? [];

/** Questions that went in although learners are not offered their language. */
export const countNotOffered = (one: Import): number =>
  notOfferedOf(one).reduce((sum, { questions }) => sum + questions, 0);
