/** The code and the texts of what follows the form: only who registers needs them. */
export async function loadPayment() {
  const [module, texts] = await Promise.all([
    import('./components/registration-payment.tsx'),
    import('#i18n/purchase/load-texts.ts'),
  ]);
  await texts.loadPurchaseTexts();
  return module;
}
