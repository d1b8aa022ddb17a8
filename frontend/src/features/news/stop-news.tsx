import '#theme/components.css';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StopMailsPage } from '#components/stop-mails-page.tsx';

/** The page behind the link in a mail with news. */
export function StopNewsPage() {
  const { t } = useTranslation(['learner', 'translation']);
  const { token } = useSearch({ from: '/nyheter' });
  const texts = {
    title: t('translation:news_mails.title'),
    text: t('stop_news.text'),
    stop: t('stop_news.stop'),
    done_title: t('stop_news.done_title'),
    done_text: t('stop_news.done_text'),
    invalid_title: t('stop_news.invalid_title'),
    invalid_text: t('stop_news.invalid_text'),
  };
  return <StopMailsPage path="/news/stop" token={token} texts={texts} />;
}
