import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import type { TopicProgress } from '../../api.ts';
import { topicName } from '../../progress/topic-name.ts';
import styles from './topic-strengths.module.css';

type TopicStrengthProps = {
  topic: TopicProgress;
  /** Where somebody practises in another one than the screen's, or in more than one. */
  namesLanguage: boolean;
  busy: boolean;
  disabled: boolean;
  onPractise: () => void;
};

export function TopicStrength({
  topic,
  namesLanguage,
  busy,
  disabled,
  onPractise,
}: TopicStrengthProps) {
  const { t } = useTranslation('learner');
  const { language, met, right, enough } = topic;
  const shown = topicName(topic, currentLanguage());
  const questions = languageName(language, currentLanguage());
  return (
    <li className={styles.topic}>
      <span className={styles.name}>
        <span className="clamped" {...textIn(shown.language)}>
          {shown.name}
        </span>
        {namesLanguage && <span className="muted"> · {questions}</span>}
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
        aria-label={t('progress.practise_topic', {
          topic: namesLanguage ? `${shown.name} · ${questions}` : shown.name,
        })}
        loading={busy}
        disabled={disabled}
        onClick={onPractise}
      >
        {t('progress.practise')}
      </Button>
    </li>
  );
}
