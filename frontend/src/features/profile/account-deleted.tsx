import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { MessagePage } from '#components/page.tsx';

/** Shown after a user has deleted their account. */
export function AccountDeletedPage() {
  const { t } = useTranslation(['learner', 'translation']);
  return (
    <MessagePage title={t('profile.delete.done_title')} text={t('profile.delete.done_text')}>
      <ButtonLink to="/">{t('translation:actions.to_front_page')}</ButtonLink>
    </MessagePage>
  );
}
