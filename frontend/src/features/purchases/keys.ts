export const purchaseKeys = {
  all: ['purchases'] as const,
  list: () => [...purchaseKeys.all, 'list'] as const,
  receipt: (id: string) => [...purchaseKeys.all, 'receipt', id] as const,
};
