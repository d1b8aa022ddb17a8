import { lazy } from 'react';

/** What one has paid, whose texts come with it: most visits do not look at it. */
export const LazyPurchaseList = lazy(async () => {
  const [{ PurchaseList }, { loadPurchaseTexts }] = await Promise.all([
    import('#features/purchases/components/purchase-list.tsx'),
    import('#i18n/purchase/load-texts.ts'),
  ]);
  await loadPurchaseTexts();
  return { default: PurchaseList };
});
