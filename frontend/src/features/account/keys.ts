export const accountKeys = {
  all: ['account'] as const,
  own: () => [...accountKeys.all, 'own'] as const,
  /** What became of a payment: like the account, it is asked for again when that changes. */
  payment: (paymentIntentId: string) => [...accountKeys.all, 'payment', paymentIntentId] as const,
};
