import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { languageTag, toAppLanguage } from '#i18n/language.ts';
import type { TopicProgress } from '../../api/get-progress.ts';
import styles from './topic-strengths.module.css';

type TopicStrengthProps = {
  topic: TopicProgress;
  /** Where somebody practises in more than one. */
  namesLanguage: boolean;
  busy: boolean;
  disabled: boolean;
  onPractise: () => void;
};

export function TopicStrength({
  topic: { topic, language, met, right, enough },
  namesLanguage,
  busy,
  disabled,
  onPractise,
}: TopicStrengthProps) {
  const { t } = useTranslation('learner');
  const languageName = t(
    toAppLanguage(language) === 'en' ? 'quiz.language_en' : 'quiz.language_no',
  );
  return (
    <li className={styles.topic}>
      <span className={styles.name}>
        <span lang={languageTag(language)}>{topic}</span>
        {namesLanguage && <span className="muted"> · {languageName}</span>}
      </span>
      <span className={styles.share}>
        {t('progress.share', { right, met })}
        {!enough && '.'}
        {!enough && <span className="muted"> {t('progress.too_little')}</span>}
      </span>
      {enough && (
        <span aria-hidden className={styles.track}>
          <span style={{ inlineSize: `${(right * 100) / met}%` }} />
        </span>
      )}
      <Button
        className={styles.practise}
        variant="tertiary"
        data-size="sm"
        aria-label={t('progress.practise_topic', { topic })}
        loading={busy}
        disabled={disabled}
        onClick={onPractise}
      >
        {t('progress.practise')}
      </Button>
    </li>
  );
}
