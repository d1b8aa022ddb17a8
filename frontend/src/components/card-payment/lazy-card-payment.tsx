import { useTranslation } from 'react-i18next';
import { lazyPart } from '#components/lazy-part.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import type { CardFormProps } from './card-payment.tsx';

const CardPayment = lazyPart(async () => (await import('./card-payment.tsx')).CardPayment);

/** The card form, whose code is fetched only before paying. */
export function LazyCardPayment(props: CardFormProps) {
  const { t } = useTranslation();
  return (
    <CardPayment
      {...props}
      fallback={<SkeletonLines label={t('app.loading')} lines={4} />}
      failed={t('payment.load_failed')}
    />
  );
}
