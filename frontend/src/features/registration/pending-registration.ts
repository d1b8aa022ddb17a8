import type { IntentResponse } from '@proveklar/contract/payment.ts';

export type Person = { username: string; email: string; password: string };

/** A person who has filled in the form but has no account yet, and the payment started for them. */
export type PendingRegistration = { person: Person; intent: IntentResponse };

/** What a registration came to. `cancel_unknown`: whether the payment was cancelled, nothing says. */
export type RegistrationEnd = 'outcome' | 'cancelled' | 'cancel_unknown';
