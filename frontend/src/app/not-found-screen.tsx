import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { MessagePage, useSeemsSignedIn } from '#components/page.tsx';

export function NotFoundScreen() {
  const { t } = useTranslation();
  const signedIn = useSeemsSignedIn();
  return (
    <MessagePage title={t('not_found.title')} text={t('not_found.text')}>
      <ButtonLink to="/">{t('actions.to_front_page')}</ButtonLink>
      <ButtonLink to={signedIn ? '/quiz' : '/smakebit'} variant="secondary">
        {t(signedIn ? 'actions.start' : 'landing.try_sample')}
      </ButtonLink>
    </MessagePage>
  );
}
