import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getSession } from '#lib/session.ts';
import { readUnsent } from '../../run/unsent-answers.ts';
import styles from './open-quizzes.module.css';

/** What this browser still has of an open quiz: it is sent when the quiz is opened. */
export function UnsentNote({ quizId }: { quizId: string }) {
  const { t } = useTranslation('learner');
  const [{ answers, handIn }] = useState(() =>
    readUnsent({ uid: getSession().user?.uid ?? '', quizId }),
  );
  const count = Object.keys(answers).length;
  if (count === 0 && !handIn) return null;
  return (
    <span className={styles.unsent}>
      {handIn ? t('saving.not_handed_in') : t('saving.unsent', { count })}
    </span>
  );
}
