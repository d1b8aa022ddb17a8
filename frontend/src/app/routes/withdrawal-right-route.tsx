import { useTranslation } from 'react-i18next';
import { Page } from '#components/page.tsx';
import { SessionLink } from '#components/session-link.tsx';
import { WithdrawalRight } from '#features/legal/components/withdrawal-right.tsx';

export function WithdrawalRightRoute() {
  const { t } = useTranslation('purchase');
  return (
    <Page title={t('withdrawal_right.title')} width="text" headerActions={<SessionLink />}>
      <WithdrawalRight />
    </Page>
  );
}
