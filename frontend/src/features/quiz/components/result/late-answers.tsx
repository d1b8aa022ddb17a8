import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { Alert } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getSession } from '#lib/session.ts';
import { forgetUnsent, type Owner, readUnsent } from '../../run/unsent-answers.ts';

/** Answers kept in this browser that the result was made without. Told once: they cannot be sent now. */
export function LateAnswers({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const [owner] = useState<Owner>(() => ({
    uid: getSession().user?.uid ?? '',
    quizId: session.id,
  }));
  const [late] = useState(() => {
    const kept = Object.entries(readUnsent(owner).answers);
    // One that arrived without being confirmed counts.
    return kept.filter(([uuid, answer]) => session.answers[uuid]?.answer !== answer).length;
  });
  useEffect(() => forgetUnsent(owner), [owner]);
  if (late === 0) return null;
  return (
    <Alert data-color="warning" data-size="sm">
      {t('saving.late', { count: late })}
    </Alert>
  );
}
