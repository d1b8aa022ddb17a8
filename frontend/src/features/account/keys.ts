export const accountKeys = {
  all: ['account'] as const,
  own: () => [...accountKeys.all, 'own'] as const,
};
