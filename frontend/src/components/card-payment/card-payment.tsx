import { languageTag } from '@proveklar/contract/language.ts';
import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { configQuery } from '#lib/config.ts';
import { CardForm, type CardFormProps } from './card-form.tsx';
import { loadCardProvider } from './load-card-provider.ts';

/** Takes one payment by card. Everything of the card provider is behind this component. */
export default function CardPayment(props: CardFormProps) {
  const { t, i18n } = useTranslation();
  const locale = languageTag(i18n.language);
  const { data: config } = useQuery(configQuery);
  const provider = useQuery({
    queryKey: ['card-provider', locale],
    queryFn: () => {
      if (!config) throw new Error('No settings');
      return loadCardProvider(config.stripe, locale);
    },
    enabled: config !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

  if (provider.isError) {
    return (
      <RetryAlert onRetry={() => void provider.refetch()}>{t('payment.load_failed')}</RetryAlert>
    );
  }
  if (!provider.data) return <SkeletonLines label={t('app.loading')} lines={4} />;
  return (
    // The provider's language is fixed when its elements are made.
    <Elements key={locale} stripe={provider.data}>
      <CardForm {...props} />
    </Elements>
  );
}
