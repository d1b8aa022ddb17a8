import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { useLeadTo } from '#lib/use-lead-to.ts';
import { type EndedQuestion, endedQuestionsQuery } from '../../api.ts';
import { QuestionTranslations } from '../language/question-translation.tsx';
import { ReportDialog } from '../report/report-dialog.tsx';
import { ReviewedAnswer } from './reviewed-answer.tsx';
import styles from './reviewed-answers.module.css';

type Questions = QuizSession['questions'];
type ReviewedAnswersProps = { session: QuizSession; wrong: Questions; trial: Questions };

/** The questions to look at again, with their keys. */
export function ReviewedAnswers({ session, wrong, trial }: ReviewedAnswersProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const { data, error, refetch } = useQuery(endedQuestionsQuery(session.id));
  const first = useLeadTo<HTMLHeadingElement>(data !== undefined);
  const [reported, setReported] = useState<EndedQuestion>();
  if (error) {
    return (
      <RetryAlert onRetry={() => void refetch()}>
        {t('quiz.failed.questions', { status: statusText(error) })}
      </RetryAlert>
    );
  }
  if (!data) return <SkeletonLines label={t('translation:app.loading')} lines={5} />;
  const known = new Map(data.questions.map((question) => [question.uuid, question]));
  const list = (questions: Questions) => (
    <ol className={styles.list}>
      {questions.map((asked) => (
        <ReviewedAnswer
          key={asked.uuid}
          id={asked.id}
          question={known.get(asked.uuid)}
          given={session.answers[asked.uuid]?.answer}
          right={session.answers[asked.uuid]?.correct === true}
          translation={<QuestionTranslations quizId={session.id} question={asked} />}
          onReport={setReported}
        />
      ))}
    </ol>
  );
  return (
    <div className={styles.groups}>
      {wrong.length > 0 && (
        <section className={styles.section} aria-labelledby="wrong-title">
          <h2 id="wrong-title" ref={first} tabIndex={-1}>
            {t('result.wrong_title')}
          </h2>
          {list(wrong)}
        </section>
      )}
      {trial.length > 0 && (
        <section className={styles.section} aria-labelledby="trial-title">
          <h2 id="trial-title" ref={wrong.length === 0 ? first : undefined} tabIndex={-1}>
            {t('result.trial_title', { count: trial.length })}
          </h2>
          <p>{t('result.trial_note')}</p>
          {list(trial)}
        </section>
      )}
      <ReportDialog question={reported} onClose={() => setReported(undefined)} />
    </div>
  );
}
