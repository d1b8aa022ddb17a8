import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { Switch } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { optionLetter } from '../../quiz-position.ts';
import styles from './language.module.css';
import { ReadAloudButton } from './read-aloud-button.tsx';
import { useReadAloud } from './use-read-aloud.ts';

/** Reads a question and its options aloud. Nothing is there where no voice knows the language. */
export function ReadQuestion({ question }: { question: QuizQuestion }) {
  const { t } = useTranslation('learner');
  const { language, options } = question;
  const aloud = useReadAloud('question', language, () => [
    { text: question.question, language },
    ...options.map((option, number) => ({ text: `${optionLetter(number)}: ${option}`, language })),
  ]);
  // A choice for those who listen: offered once they do.
  const [isOffered, setOffered] = useState(aloud.slow);
  if (aloud.reading && !isOffered) setOffered(true);
  if (!aloud.available) return null;
  return (
    <div className={styles.aloud}>
      <ReadAloudButton label={t('language.read')} reading={aloud.reading} onClick={aloud.toggle} />
      {isOffered && (
        <Switch
          data-size="sm"
          label={t('language.slow')}
          checked={aloud.slow}
          onChange={(event) => aloud.setSlow(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
