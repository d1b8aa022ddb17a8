import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadAloudButton } from '#features/quiz/components/language/read-aloud-button.tsx';
import { useReadAloud } from '#features/quiz/components/language/use-read-aloud.ts';
import { textIn } from '#lib/question-language.ts';
import styles from './feedback.module.css';
import { scrollToExplanation } from './scroll-to-explanation.ts';

type ExplanationProps = {
  text: string;
  source: string | null | undefined;
  /** Of the question. */
  language: string;
  /** Somebody points at it or tabs to it: the quiz must not go on by itself now. */
  onRead: () => void;
};

export function Explanation({ text, source, language, onRead }: ExplanationProps) {
  const { t } = useTranslation('learner');
  const box = useRef<HTMLElement>(null);
  useEffect(() => scrollToExplanation(box.current), []);
  const textId = useId();
  return (
    // It is focusable for `onRead` alone, although nothing in it can be operated.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={box}
      className={styles.explanation}
      aria-label={t('run.explanation')}
      // Else who tabs to it hears that there is one, and not what it says.
      aria-describedby={textId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      // Not `onPointerEnter`: it comes to where a pointer rests.
      onPointerMove={onRead}
      onFocus={onRead}
    >
      <p id={textId} {...textIn(language)}>
        {text}
      </p>
      <ReadExplanation text={text} language={language} />
      {source && (
        <a className="ds-link" href={source} target="_blank" rel="noreferrer">
          {t('run.source')}
        </a>
      )}
    </aside>
  );
}

function ReadExplanation({ text, language }: { text: string; language: string }) {
  const { t } = useTranslation('learner');
  const aloud = useReadAloud('explanation', language, () => [{ text, language }]);
  if (!aloud.available) return null;
  return (
    <ReadAloudButton
      label={t('language.read_explanation')}
      reading={aloud.reading}
      onClick={aloud.toggle}
    />
  );
}
