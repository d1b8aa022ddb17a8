import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/language.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import styles from './feedback.module.css';

/** What is said after an answer: aloud whether it was right, and on the screen why. */
export function Feedback({ run }: { run: QuizRunState }) {
  const { t } = useTranslation();
  const { given, question, instant } = run;
  const result = given?.result;

  let announcement = '';
  if (given?.fresh && result?.correct === true) announcement = t('run.announce_right');
  if (given?.fresh && result?.correct === false) {
    announcement = t('run.announce_wrong', { answer: result.correct_answer ?? '' });
  }
  if (instant && given?.status === 'sending') announcement = t('run.checking');

  return (
    <>
      <p role="status" className="ds-sr-only">
        {announcement}
      </p>
      {result?.explanation && (
        // Pointing at it or tabbing to it means that somebody is reading: no going on by itself.
        // It is focusable for just that, although nothing in it can be operated.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <aside
          className={styles.explanation}
          aria-label={t('run.explanation')}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onPointerEnter={run.holdForReading}
          onFocus={run.holdForReading}
        >
          <p lang={languageTag(question.language)}>{result.explanation}</p>
          {result.source_url && (
            <a className="ds-link" href={result.source_url} target="_blank" rel="noreferrer">
              {t('run.source')}
            </a>
          )}
        </aside>
      )}
    </>
  );
}
