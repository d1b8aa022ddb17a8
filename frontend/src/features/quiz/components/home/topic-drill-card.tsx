import { Button, Checkbox, Field, Label, Select } from '@digdir/designsystemet-react';
import { BookIcon } from '@navikt/aksel-icons';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { topicsQuery } from '../../api.ts';
import { QUESTION_COUNTS, useDrillLanguage, useQuestionCount } from '../../drill-choices.ts';
import { ALL_TOPICS } from '../../topic-label.ts';
import { ChoiceSelect } from './choice-select.tsx';
import { QuestionLanguageSelect } from './question-language-select.tsx';
import styles from './quiz-card.module.css';

type TopicDrillCardProps = {
  /** In place of the first topic, and of the language chosen last. */
  preselected?: { topic: string | undefined; language: string | undefined };
  /** In the place of the button, for who has no access. */
  access?: ReactNode;
  busy: boolean;
  disabled: boolean;
  onStart: (request: StartQuizRequest) => void;
};

export function TopicDrillCard({
  preselected,
  access,
  busy,
  disabled,
  onStart,
}: TopicDrillCardProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const [usual, setUsual] = useDrillLanguage();
  const [asked, setAsked] = useState(preselected?.language);
  const language = asked ?? usual;
  const [count, setCount] = useQuestionCount();
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...topicsQuery(language),
    // The choices stay where they are while the topics of another language are on their way.
    placeholderData: keepPreviousData,
  });
  const [chosen, setChosen] = useState(preselected?.topic);
  const [instantFeedback, setInstantFeedback] = useState(true);
  function chooseLanguage(next: string) {
    setUsual(next);
    setAsked(undefined);
  }
  // First topic preselected; a choice made in the other language is not in this list.
  const topic =
    chosen !== undefined && (chosen === ALL_TOPICS || data?.topics.includes(chosen))
      ? chosen
      : data?.topics[0];

  return (
    <section className={styles.card} data-tone="secondary" aria-labelledby="drill-title">
      <div className={styles.head}>
        <span className={styles.icon}>
          <BookIcon aria-hidden />
        </span>
        <h2 id="drill-title">{t('quiz.drill_title')}</h2>
        <p>{t('quiz.drill_text')}</p>
      </div>
      {isError && <RetryAlert onRetry={() => void refetch()}>{t('quiz.topics_failed')}</RetryAlert>}
      {!data && !isError && <SkeletonLines label={t('translation:app.loading')} lines={4} />}
      {data && topic === undefined && <p>{t('quiz.topics_empty')}</p>}
      {data && topic !== undefined && (
        <>
          <div className={styles.fields}>
            <TopicSelect topics={data.topics} value={topic} onChange={setChosen} />
            <div className={styles.choices}>
              <ChoiceSelect
                label={t('quiz.question_count')}
                choices={QUESTION_COUNTS}
                value={count}
                onChange={setCount}
              />
              <QuestionLanguageSelect value={language} onChange={chooseLanguage} />
            </div>
            {!isPlaceholderData && data.language !== language && (
              <p className="muted">{t('quiz.questions_in_norwegian')}</p>
            )}
            <Checkbox
              label={t('quiz.instant_feedback')}
              description={t('quiz.instant_feedback_hint')}
              checked={instantFeedback}
              onChange={(event) => setInstantFeedback(event.currentTarget.checked)}
            />
          </div>
          {access ? (
            <div className={styles.access}>{access}</div>
          ) : (
            <Button
              className={styles.start}
              // One button of the page is the first to press: the one of the first card.
              variant={preselected?.topic === undefined ? 'secondary' : 'primary'}
              loading={busy}
              disabled={disabled || isPlaceholderData}
              onClick={() =>
                onStart({
                  topic,
                  instant_feedback: instantFeedback,
                  language: data.language,
                  question_count: Number(count),
                })
              }
            >
              {t('quiz.start_drill')}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

type TopicSelectProps = { topics: string[]; value: string; onChange: (topic: string) => void };

function TopicSelect({ topics, value, onChange }: TopicSelectProps) {
  const { t } = useTranslation('learner');
  const id = useId();
  return (
    <Field>
      <Label htmlFor={id}>{t('quiz.topic')}</Label>
      <Select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {topics.map((topic) => (
          <Select.Option key={topic} value={topic}>
            {topic}
          </Select.Option>
        ))}
        <Select.Option value={ALL_TOPICS}>{t('quiz.all_topics')}</Select.Option>
      </Select>
    </Field>
  );
}
