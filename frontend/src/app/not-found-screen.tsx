import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { MessagePage } from '#components/page.tsx';

export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <MessagePage title={t('not_found.title')} text={t('not_found.text')}>
      <ButtonLink to="/">{t('actions.to_front_page')}</ButtonLink>
      <ButtonLink to="/quiz" variant="secondary">
        {t('actions.start')}
      </ButtonLink>
    </MessagePage>
  );
}
