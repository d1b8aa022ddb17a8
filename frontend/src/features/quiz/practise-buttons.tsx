import { Button } from '@digdir/designsystemet-react';
import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { languageName } from '#lib/question-language.ts';
import type { TopicProgress } from './api.ts';
import { drillOf, questionCount, useDrillLanguage } from './drill-choices.ts';
import styles from './home.module.css';
import { type MistakesWay, MistakeSets } from './mistake-sets.tsx';
import { mistakesOf, topicName } from './progress-figures.ts';

type PractiseButtonsProps = {
  progress: ProgressResponse;
  /** The quiz that is being started. */
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: MistakesWay | 'weakest') => void;
};

/** Starts a drill of the mistakes, or of the weakest topic, at once. */
export function PractiseButtons({ progress, starting, onStart }: PractiseButtonsProps) {
  const { t } = useTranslation('learner');
  const [language] = useDrillLanguage();
  const mistakes = mistakesOf(progress, language);
  const weakest = weakestOf(progress);
  if (!mistakes && !weakest) return null;

  /** With the language of its questions, if that differs from the page's. */
  function nameOf(topic: TopicProgress): string {
    const { name } = topicName(topic, currentLanguage());
    return topic.language === currentLanguage()
      ? name
      : `${name} · ${languageName(topic.language, currentLanguage())}`;
  }

  return (
    <div className={styles.buttons}>
      {mistakes && (
        <MistakeSets
          progress={progress}
          language={mistakes.language}
          label={t('progress.practise_mistakes', { n: mistakes.count })}
          variant="secondary"
          starting={starting}
          onStart={onStart}
        />
      )}
      {weakest && (
        <Button
          variant="secondary"
          loading={starting === 'weakest'}
          disabled={starting !== undefined}
          onClick={() =>
            onStart(drillOf(weakest.topic, weakest.language, questionCount()), 'weakest')
          }
        >
          <span className="clamped">
            {t('progress.practise_weakest', { topic: nameOf(weakest) })}
          </span>
        </Button>
      )}
    </div>
  );
}

const weakestOf = ({ topics, weakest }: ProgressResponse): TopicProgress | undefined =>
  topics.find(({ topic, language }) => topic === weakest?.topic && language === weakest.language);
