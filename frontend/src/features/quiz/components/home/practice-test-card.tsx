import { Button, Fieldset, Radio } from '@digdir/designsystemet-react';
import { TasklistIcon } from '@navikt/aksel-icons';
import type { Exam, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { formatDate } from '#lib/format.ts';
import { languageName } from '#lib/question-language.ts';
import { useStored } from '#lib/use-stored.ts';
import { type ExamFacts as Facts, examsQuery } from '../../api.ts';
import { useTestLanguage } from '../../drill-choices.ts';
import { PRACTICE_TEST } from '../../topic-label.ts';
import { QuestionLanguageSelect } from './question-language-select.tsx';
import styles from './quiz-card.module.css';

const exams = ['samfunnskunnskap', 'statsborger'] as const satisfies readonly Exam[];

type PracticeTestCardProps = {
  /** Not the first thing to do: somebody was sent here for a drill. */
  isSecond?: boolean;
  /** In the place of the button, for who has no access. */
  access?: ReactNode;
  busy: boolean;
  disabled: boolean;
  onStart: (request: StartQuizRequest) => void;
};

/** Starts the official-style test. In Norwegian, as the tests that count, unless one chooses. */
export function PracticeTestCard(props: PracticeTestCardProps) {
  const { isSecond = false, access, busy, disabled, onStart } = props;
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const [language, setLanguage] = useTestLanguage();
  const [exam, setExam] = useStored('proveklar.exam', exams, 'samfunnskunnskap');
  const [timed, setTimed] = useStored('proveklar.timed', ['on', 'off'], 'on');
  const { data, isError, refetch } = useQuery(examsQuery);
  const facts = data?.exams.find(({ name }) => name === exam);
  return (
    <section className={styles.card} data-tone="primary" aria-labelledby="practice-title">
      <div className={styles.head}>
        <span className={styles.icon}>
          <TasklistIcon aria-hidden />
        </span>
        <h2 id="practice-title">{t('quiz.practice_test')}</h2>
        <p>{t('quiz.practice_text')}</p>
      </div>
      <Fieldset>
        <Fieldset.Legend>{t('quiz.exam')}</Fieldset.Legend>
        {exams.map((name) => (
          <Radio
            key={name}
            name="exam"
            value={name}
            label={t(`quiz.exam_${name}`)}
            checked={exam === name}
            onChange={() => setExam(name)}
          />
        ))}
      </Fieldset>
      {facts && <ExamFacts exam={facts} />}
      {isError && (
        <RetryAlert tone="warning" onRetry={() => void refetch()}>
          {t('practice.facts_failed')}
        </RetryAlert>
      )}
      {!data && !isError && <SkeletonLines label={t('translation:app.loading')} lines={1} />}
      <details className={styles.more}>
        <summary>
          {t('practice.choices', {
            time: t(timed === 'on' ? 'practice.timed' : 'practice.untimed'),
            language: languageName(language, i18n.language),
          })}
        </summary>
        <div className={styles.fields}>
          <TimedChoice
            timed={timed === 'on'}
            onChange={(isTimed) => setTimed(isTimed ? 'on' : 'off')}
          />
          <QuestionLanguageSelect value={language} onChange={setLanguage} />
          {language !== 'no' && <p className="muted">{t('quiz.test_in_norwegian')}</p>}
        </div>
      </details>
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

/** With the clock of the real test, or without: not everybody can keep to a time. */
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

/** What the exam is like, and how we know. */
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
    <details className={styles.place}>
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
