import { Button } from '@digdir/designsystemet-react';
import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { MISTAKES, SET_SIZE } from '@proveklar/contract/quiz-topics.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { textIn } from '#lib/question-language.ts';
import { drillOf } from './drill-choices.ts';
import styles from './home.module.css';
import { mistakesByTopic, topicName } from './progress-figures.ts';

export type MistakesWay = `mistakes:${string}`;

type MistakeSetsProps = {
  /** Undefined while it is loaded, or could not be. */
  progress: ProgressResponse | undefined;
  language: string;
  label: string;
  variant: 'secondary' | 'tertiary';
  /** The quiz that is being started. */
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: MistakesWay) => void;
};

/** A button that starts a drill of the mistakes. Where they are more than a set, it offers sets by topic. */
export function MistakeSets({
  progress,
  language,
  label,
  variant,
  starting,
  onStart,
}: MistakeSetsProps) {
  const { t } = useTranslation('learner');
  const [open, setOpen] = useState(false);
  const id = useId();
  const topics = progress ? mistakesByTopic(progress, language) : [];
  const count = topics.reduce((sum, { mistakes }) => sum + mistakes, 0);
  const disabled = starting !== undefined;
  const all = `mistakes:${language}` as const;
  const request = drillOf(MISTAKES, language, SET_SIZE);
  if (count <= SET_SIZE) {
    return (
      <Button
        variant={variant}
        loading={starting === all}
        disabled={disabled}
        onClick={() => onStart(request, all)}
      >
        {label}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant={variant}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      <div id={id} hidden={!open} className={styles.sets}>
        <p>{t('progress.sets', { n: SET_SIZE })}</p>
        <ul>
          <li>
            <Button
              variant="secondary"
              data-size="sm"
              loading={starting === all}
              disabled={disabled}
              onClick={() => onStart(request, all)}
            >
              {t('progress.sets_all', { n: count })}
            </Button>
          </li>
          {topics.map((topic) => {
            const shown = topicName(topic, currentLanguage());
            const way = `mistakes:${topic.topic}` as const;
            return (
              <li key={topic.topic}>
                <Button
                  variant="secondary"
                  data-size="sm"
                  loading={starting === way}
                  disabled={disabled}
                  onClick={() => onStart({ ...request, mistakes_of: topic.topic }, way)}
                >
                  <span className="clamped">
                    <span {...textIn(shown.language)}>{shown.name}</span> ({topic.mistakes})
                  </span>
                </Button>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
