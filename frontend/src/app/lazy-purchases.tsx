import { lazyPart } from '#components/lazy-part.tsx';
import { loadTexts } from '#i18n/i18n.ts';

export const LazyRedeemCode = lazyPart(async () => {
  const [{ RedeemCode }] = await Promise.all([
    import('#features/codes/redeem.tsx'),
    loadTexts('codes'),
  ]);
  return RedeemCode;
});

/** Purchases, loaded on demand with their texts: most visits do not open them. */
async function withTexts<Module>(code: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([code, loadTexts('purchase')]);
  return module;
}

export const LazyPurchaseList = lazyPart(async () => {
  const code = import('#features/purchases/purchase-list.tsx');
  return (await withTexts(code)).PurchaseList;
});

export const LazyPurchaseNotices = lazyPart(async () => {
  const code = import('#features/purchases/purchase-notices.tsx');
  return (await withTexts(code)).PurchaseNotices;
});

export const LazyExpiredReason = lazyPart(async () => {
  const code = import('#features/purchases/purchase-notices.tsx');
  return (await withTexts(code)).ExpiredReason;
});
