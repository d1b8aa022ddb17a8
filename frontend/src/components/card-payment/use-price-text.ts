import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { formatNok } from '#lib/format.ts';

/** Writes an amount (øre) as one is about to pay it: with "incl. VAT" only where there is VAT in it. */
export function usePriceText(): (ore: number) => string {
  const { t, i18n } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return (ore) => {
    const price = formatNok(ore, i18n.language);
    return config?.price_includes_vat ? t('payment.price_vat', { price }) : price;
  };
}
