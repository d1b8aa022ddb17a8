import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import type { TopicProgress } from '../../api.ts';
import { questionCount } from '../../drill-choices.ts';
import { drillOf } from '../../progress/practice-offers.ts';
import { byStrength } from '../../progress/strength-order.ts';
import progressStyles from './learner-progress.module.css';
import { TopicStrength } from './topic-strength.tsx';
import styles from './topic-strengths.module.css';

/** As many topics as are shown at first. */
const SHOWN = 8;

type TopicStrengthsProps = {
  topics: readonly TopicProgress[];
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: string) => void;
};

/** What is known of each topic, the weakest first. */
export function TopicStrengths({ topics, starting, onStart }: TopicStrengthsProps) {
  const { t } = useTranslation('learner');
  const [all, setAll] = useState(false);
  const ordered = byStrength(topics);
  const languages = new Set([currentLanguage(), ...topics.map(({ language }) => language)]);
  return (
    <section className={progressStyles.card} aria-labelledby="topics-title">
      <h3 id="topics-title">{t('progress.topics')}</h3>
      <p>{t('progress.topics_text')}</p>
      <ul className={styles.list}>
        {(all ? ordered : ordered.slice(0, SHOWN)).map((topic) => {
          const way = `topic:${topic.language}:${topic.topic}`;
          return (
            <TopicStrength
              key={way}
              topic={topic}
              namesLanguage={languages.size > 1}
              busy={starting === way}
              disabled={starting !== undefined}
              onPractise={() => onStart(drillOf(topic.topic, topic.language, questionCount()), way)}
            />
          );
        })}
      </ul>
      {!all && ordered.length > SHOWN && (
        <Button variant="tertiary" data-size="sm" onClick={() => setAll(true)}>
          {t('progress.all_topics')}
        </Button>
      )}
    </section>
  );
}
