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
  /** Whether readiness names the topic that helps most; another weakest topic beside it would confuse. */
  hasStep: boolean;
  /** The quiz that is being started. */
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: MistakesWay | 'weakest') => void;
};

/** Starts a drill of the mistakes, or of the weakest topic, at once. */
export function PractiseButtons({ progress, hasStep, starting, onStart }: PractiseButtonsProps) {
  const { t } = useTranslation('learner');
  const [language] = useDrillLanguage();
  const mistakes = mistakesOf(progress, language);
  const weakest = hasStep ? undefined : weakestOf(progress);
  if (mistakes.length === 0 && !weakest) return null;

  /** With the language of the questions, if that differs from the page's. */
  const withLanguage = (text: string, of: string): string =>
    of === currentLanguage() ? text : `${text} · ${languageName(of, currentLanguage())}`;

  return (
    <div className={styles.buttons}>
      {mistakes.map(({ language: of, count }) => (
        <MistakeSets
          key={of}
          progress={progress}
          language={of}
          label={withLanguage(t('progress.practise_mistakes', { n: count }), of)}
          variant="secondary"
          starting={starting}
          onStart={onStart}
        />
      ))}
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
            {withLanguage(
              t('progress.practise_weakest', {
                topic: topicName(weakest, currentLanguage()).name,
              }),
              weakest.language,
            )}
          </span>
        </Button>
      )}
    </div>
  );
}

const weakestOf = ({ topics, weakest }: ProgressResponse): TopicProgress | undefined =>
  topics.find(({ topic, language }) => topic === weakest?.topic && language === weakest.language);
