import '#theme/components.css';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StopMailsPage } from '#components/stop-mails-page.tsx';

/** The page behind the link in a reminder. */
export function StopRemindersPage() {
  const { t } = useTranslation(['learner', 'translation']);
  const { token } = useSearch({ from: '/paminnelser' });
  const texts = {
    title: t('translation:reminders.title'),
    text: t('stop_reminders.text'),
    stop: t('stop_reminders.stop'),
    done_title: t('stop_reminders.done_title'),
    done_text: t('stop_reminders.done_text'),
    invalid_title: t('stop_reminders.invalid_title'),
    invalid_text: t('stop_reminders.invalid_text'),
  };
  return <StopMailsPage path="/learning/reminders/stop" token={token} texts={texts} />;
}
