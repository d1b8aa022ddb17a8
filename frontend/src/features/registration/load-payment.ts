import { loadTexts } from '#i18n/i18n.ts';

/** The code and the texts of what follows the form: only who registers needs them. */
export async function loadPayment() {
  const [module] = await Promise.all([
    import('./components/registration-payment.tsx'),
    loadTexts('purchase'),
  ]);
  return module;
}
