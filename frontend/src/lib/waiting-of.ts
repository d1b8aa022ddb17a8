import type { AccountResponse } from '@proveklar/contract/account.ts';

export type Waiting = AccountResponse['waiting_days'];

/** Days that begin later; none from a gateway of the version before, while gateways are replaced. */
export const waitingOf = (answer: { waiting_days?: Waiting } | undefined): Waiting =>
  answer?.waiting_days ?? [];
