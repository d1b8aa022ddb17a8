import type { LearningResponse } from '@proveklar/contract/learning.ts';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import { AllTopicsButton } from '../all-topics-button.tsx';
import { drillOf, questionCount } from '../drill-choices.ts';
import type { Learning } from './api.ts';
import styles from './topic-tiles.module.css';

/** The number of tiles shown at first. */
const MAX_TILES_AT_FIRST = 8;

type TopicTilesProps = {
  learning: Learning;
  /** The topic whose quiz is being started. */
  starting: string | undefined;
  disabled: boolean;
  /** Left out for a learner without access. */
  onStart: ((request: StartQuizRequest, topic: string) => void) | undefined;
  /** Below the tiles: the way to the learner's progress. */
  children?: ReactNode;
};

/** How much of each topic is known, of all its questions. A tap practises the topic. */
export function TopicTiles({ learning, starting, disabled, onStart, children }: TopicTilesProps) {
  const { t } = useTranslation('learner');
  const [all, setAll] = useState(false);
  const id = useId();
  const topics = learning.topics.filter(({ total }) => total > 0);
  if (topics.length === 0) return null;
  return (
    <section className={styles.tiles} aria-labelledby="tiles-title">
      <div className={styles.head}>
        <h2 id="tiles-title">{t('learning.tiles.title')}</h2>
        <ul aria-hidden className={styles.legend}>
          {(['known', 'unsure', 'unseen'] as const).map((part) => (
            <li key={part} data-part={part}>
              {t(`learning.tiles.${part}`)}
            </li>
          ))}
        </ul>
      </div>
      <ul id={id} className={styles.list}>
        {(all ? topics : topics.slice(0, MAX_TILES_AT_FIRST)).map((topic) => (
          <li key={topic.topic}>
            {onStart ? (
              <button
                type="button"
                className={styles.tile}
                aria-busy={starting === topic.topic}
                disabled={disabled}
                onClick={() =>
                  onStart(drillOf(topic.topic, learning.language, questionCount()), topic.topic)
                }
              >
                <TopicMastery topic={topic} language={learning.language} isButton />
              </button>
            ) : (
              <div className={styles.tile}>
                <TopicMastery topic={topic} language={learning.language} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {topics.length > MAX_TILES_AT_FIRST && (
        <AllTopicsButton list={id} all={all} onChange={setAll} />
      )}
      {children}
    </section>
  );
}

type TopicMasteryProps = {
  topic: LearningResponse['topics'][number];
  language: string;
  isButton?: boolean;
};

/** The name of a topic, and its known, unsure and unseen questions as a bar and in words. */
function TopicMastery({ topic, language, isButton = false }: TopicMasteryProps) {
  const { t } = useTranslation('learner');
  const { known, unsure, unseen, total } = topic;
  return (
    <>
      <span className={`clamped ${styles.name}`} {...textIn(language)}>
        {topic.topic}
      </span>
      <span aria-hidden className={styles.bar}>
        <span data-part="known" style={{ inlineSize: `${(known * 100) / total}%` }} />
        <span data-part="unsure" style={{ inlineSize: `${(unsure * 100) / total}%` }} />
      </span>
      <span className={styles.share}>
        {t('learning.tiles.share', { known, total })}
        <span className="ds-sr-only">
          {t('learning.tiles.rest', { unsure, unseen })}
          {isButton && ` ${t('learning.tiles.practise')}`}
        </span>
      </span>
    </>
  );
}
