import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { type EndedQuestion, endedQuestionsQuery } from '../../api/get-ended-questions.ts';
import { ReportDialog } from '../report/report-dialog.tsx';
import { WrongAnswer } from './wrong-answer.tsx';
import styles from './wrong-answers.module.css';

type WrongAnswersProps = { session: QuizSession; wrong: QuizSession['questions'] };

export function WrongAnswers({ session, wrong }: WrongAnswersProps) {
  const { t } = useTranslation();
  const statusText = useStatusText();
  const { data, error, refetch } = useQuery(endedQuestionsQuery(session.id));
  const [reported, setReported] = useState<EndedQuestion>();
  if (error) {
    return (
      <RetryAlert onRetry={() => void refetch()}>
        {t('quiz.failed.questions', { status: statusText(error) })}
      </RetryAlert>
    );
  }
  if (!data) return <SkeletonLines label={t('app.loading')} lines={5} />;
  const known = new Map(data.questions.map((question) => [question.uuid, question]));
  return (
    <section className={styles.section} aria-labelledby="wrong-title">
      <h2 id="wrong-title">{t('result.wrong_title')}</h2>
      <ol className={styles.list}>
        {wrong.map(({ id, uuid }) => (
          <WrongAnswer
            key={uuid}
            id={id}
            question={known.get(uuid)}
            given={session.answers[uuid]?.answer}
            onReport={setReported}
          />
        ))}
      </ol>
      <ReportDialog question={reported} onClose={() => setReported(undefined)} />
    </section>
  );
}
