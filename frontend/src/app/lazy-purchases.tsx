import { lazy } from 'react';
import { loadTexts } from '#i18n/i18n.ts';

export const LazyRedeemCode = lazy(async () => {
  const [{ RedeemCode }] = await Promise.all([
    import('#features/codes/redeem.tsx'),
    loadTexts('codes'),
  ]);
  return { default: RedeemCode };
});

/** Purchases, loaded on demand with their texts: most visits do not open them. */
async function withTexts<Module>(code: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([code, loadTexts('purchase')]);
  return module;
}

export const LazyPurchaseList = lazy(async () => {
  const code = import('#features/purchases/purchase-list.tsx');
  return { default: (await withTexts(code)).PurchaseList };
});

export const LazyPurchaseNotices = lazy(async () => {
  const code = import('#features/purchases/purchase-notices.tsx');
  return { default: (await withTexts(code)).PurchaseNotices };
});

export const LazyExpiredReason = lazy(async () => {
  const code = import('#features/purchases/purchase-notices.tsx');
  return { default: (await withTexts(code)).ExpiredReason };
});
