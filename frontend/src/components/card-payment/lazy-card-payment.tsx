import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import type { CardFormProps } from './card-payment.tsx';

const CardPayment = lazy(() => import('./card-payment.tsx'));

/** The card form, whose code is fetched only before paying. */
export function LazyCardPayment(props: CardFormProps) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<SkeletonLines label={t('app.loading')} lines={4} />}>
      <CardPayment {...props} />
    </Suspense>
  );
}
