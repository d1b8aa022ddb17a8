import {
  Button,
  Checkbox,
  Field,
  Fieldset,
  Label,
  Radio,
  Select,
} from '@digdir/designsystemet-react';
import { BookIcon, TasklistIcon } from '@navikt/aksel-icons';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { ALL_TOPICS, PRACTICE_TEST } from '@proveklar/contract/quiz-topics.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { formatDate } from '#lib/format.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import { useStored } from '#lib/use-stored.ts';
import { DrillCoverage, TestCoverage } from './coverage.tsx';
import { type ExamFacts as Facts, examsQuery, topicsQuery } from './api.ts';
import {
  QUESTION_COUNTS,
  useDrillLanguage,
  useQuestionCount,
  useTestLanguage,
} from './drill-choices.ts';
import home from './home.module.css';
import styles from './start-cards.module.css';
import { useLearning } from './learning/api.ts';
import {
  type ChosenExam,
  ChoiceSelect,
  ExamChoice,
  InNorwegian,
  QuestionLanguageSelect,
} from './practice-choices.tsx';

type PracticeTestCardProps = {
  chosen: ChosenExam;
  /** Whether another card is the main action. */
  isSecond?: boolean;
  /** In the place of the button, for a learner without access. */
  access?: ReactNode;
  busy: boolean;
  disabled: boolean;
  onStart: (request: StartQuizRequest) => void;
};

/** Starts the official-style test. */
export function PracticeTestCard(props: PracticeTestCardProps) {
  const { chosen, isSecond = false, access, busy, disabled, onStart } = props;
  const { exam } = chosen;
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const [language, setLanguage] = useTestLanguage(exam);
  const [timed, setTimed] = useStored('proveklar.timed', ['on', 'off'], 'on');
  const { data, isError, refetch } = useQuery(examsQuery);
  const facts = data?.exams.find(({ name }) => name === exam);
  return (
    <section className={home.card} data-tone="primary" aria-labelledby="practice-title">
      <div className={home.head}>
        <span className={home.icon}>
          <TasklistIcon aria-hidden />
        </span>
        <h2 id="practice-title">{t('quiz.practice_test')}</h2>
        <p>{t('quiz.practice_text')}</p>
      </div>
      {facts && <ExamFacts exam={facts} />}
      {isError && (
        <RetryAlert tone="warning" onRetry={() => void refetch()}>
          {t('practice.facts_failed')}
        </RetryAlert>
      )}
      {!data && !isError && <SkeletonLines label={t('translation:app.loading')} lines={1} />}
      <details className={home.more}>
        <summary>
          {t('practice.choices', {
            exam: t(`quiz.exam_${exam}`),
            time: t(timed === 'on' ? 'practice.timed' : 'practice.untimed'),
            language: languageName(language, i18n.language),
          })}
        </summary>
        <div className={home.fields}>
          <ExamChoice name="exam" chosen={chosen} />
          <TimedChoice
            timed={timed === 'on'}
            onChange={(isTimed) => setTimed(isTimed ? 'on' : 'off')}
          />
          <QuestionLanguageSelect value={language} onChange={setLanguage} />
          <InNorwegian language={language} />
        </div>
      </details>
      <TestCoverage language={language} />
      {access ? (
        <div className={styles.access}>{access}</div>
      ) : (
        <Button
          className={styles.start}
          variant={isSecond ? 'secondary' : 'primary'}
          loading={busy}
          disabled={disabled}
          onClick={() => onStart({ topic: PRACTICE_TEST, language, exam, timed: timed === 'on' })}
        >
          {t('quiz.start_practice')}
        </Button>
      )}
    </section>
  );
}

type TimedChoiceProps = {
  timed: boolean;
  onChange: (timed: boolean) => void;
};

/** With the time limit of the real test, or without: not everyone can work under time pressure. */
function TimedChoice({ timed, onChange }: TimedChoiceProps) {
  const { t } = useTranslation('learner');
  return (
    <Fieldset>
      <Fieldset.Legend>{t('practice.time')}</Fieldset.Legend>
      <Radio
        name="timed"
        value="on"
        label={t('practice.timed')}
        description={t('practice.timed_hint')}
        checked={timed}
        onChange={() => onChange(true)}
      />
      <Radio
        name="timed"
        value="off"
        label={t('practice.untimed')}
        description={t('practice.untimed_hint')}
        checked={!timed}
        onChange={() => onChange(false)}
      />
    </Fieldset>
  );
}

/** The facts about the exam, and their source. */
function ExamFacts({ exam }: { exam: Facts }) {
  const { t, i18n } = useTranslation('learner');
  const { questions_shown, questions_counted, pass_mark, minutes } = exam;
  const uncounted = questions_shown - questions_counted;
  const facts = [
    { value: questions_shown, what: t('practice.questions') },
    { value: minutes, what: t('practice.minutes') },
    {
      value: t('practice.to_pass_value', { mark: pass_mark, counted: questions_counted }),
      what: t('practice.to_pass'),
    },
  ];
  return (
    <details className={styles.examFacts}>
      <summary>{t('practice.summary', { count: questions_shown, minutes })}</summary>
      <ul className={styles.facts}>
        {facts.map(({ value, what }) => (
          <li key={what}>
            <strong>{value}</strong> {what}
          </li>
        ))}
      </ul>
      <p className={styles.source}>
        {uncounted > 0 && `${t('practice.uncounted', { count: uncounted })} `}
        {t('practice.checked', { date: formatDate(exam.checked_at, i18n.language) })}{' '}
        <a className="ds-link tap" href={exam.source_url} target="_blank" rel="noreferrer">
          {t('practice.source', { host: new URL(exam.source_url).host.replace(/^www\./, '') })}
        </a>
      </p>
    </details>
  );
}

type TopicDrillCardProps = {
  /** Replaces the first topic, and the last chosen language. */
  preselected?: { topic: string | undefined; language: string | undefined };
  /** In the place of the button, for a learner without access. */
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
  const [usual] = useDrillLanguage();
  // Of this quiz alone: the figures of the page stay those of the language that the learner practises in.
  const [chosenLanguage, chooseLanguage] = useState(preselected?.language);
  const language = chosenLanguage ?? usual;
  const [count, setCount] = useQuestionCount();
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...topicsQuery(language),
    // The choices stay while the topics of another language are being loaded.
    placeholderData: keepPreviousData,
  });
  const { data: learning } = useLearning(data?.language ?? language);
  const [chosen, setChosen] = useState(preselected?.topic);
  const [instantFeedback, setInstantFeedback] = useState(true);
  // The first topic is preselected; one chosen in another language is not in this list.
  const topic =
    chosen !== undefined && (chosen === ALL_TOPICS || data?.topics.includes(chosen))
      ? chosen
      : data?.topics[0];
  const available =
    topic === ALL_TOPICS ? undefined : learning?.topics.find((one) => one.topic === topic)?.total;

  return (
    <section className={home.card} data-tone="secondary" aria-labelledby="drill-title">
      <div className={home.head}>
        <span className={home.icon}>
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
          <div className={home.fields}>
            <TopicSelect
              topics={data.topics}
              language={data.language}
              value={topic}
              onChange={setChosen}
            />
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
            <DrillCoverage language={data.language} topic={topic} />
            {available !== undefined && available > 0 && available < Number(count) && (
              <p className="muted">{t('quiz.fewer', { count: available })}</p>
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
              // The page has one primary button, that of the first card.
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

type TopicSelectProps = {
  topics: string[];
  /** Of the topics. */
  language: string;
  value: string;
  onChange: (topic: string) => void;
};

function TopicSelect({ topics, language, value, onChange }: TopicSelectProps) {
  const { t } = useTranslation('learner');
  const id = useId();
  return (
    <Field>
      <Label htmlFor={id}>{t('quiz.topic')}</Label>
      <Select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <Select.Option value={ALL_TOPICS}>{t('quiz.all_topics')}</Select.Option>
        {topics.map((topic) => (
          <Select.Option key={topic} value={topic} {...textIn(language)}>
            {topic}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}
