import { XMarkIcon } from '@navikt/aksel-icons';
import type { GlossaryResponse } from '@proveklar/contract/glossary.ts';
import {
  findWords,
  type FoundWord,
  type HardWord,
  indexWords,
  safeWords,
  type WordIndex,
} from '@proveklar/contract/hard-words.ts';
import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api-client.ts';
import styles from './glossary.module.css';

// The hard words of a text, which are explained on a tap. The texts are searched in the browser, so an answer
// costs no call. Without the glossary a text is shown as it is.

/** The language of the glossary's words. */
const LANGUAGE = 'no';

const glossaryQuery = queryOptions({
  queryKey: ['glossary'],
  queryFn: async ({ signal }) =>
    indexWords((await api<GlossaryResponse>('/glossary', { signal })).entries),
  staleTime: 60 * 60 * 1000,
  // It is not JSON.
  structuralSharing: false,
});

const NO_WORDS: WordIndex = indexWords([]);

function useGlossary(language: string): WordIndex {
  const { data } = useQuery({ ...glossaryQuery, enabled: language === LANGUAGE });
  return (language === LANGUAGE && data) || NO_WORDS;
}

/**
 * Which words of a question are explained: all once its answer is known; before that, those that do not give it
 * away; none in a practice test, as in the real one.
 */
export type WordHelp = 'all' | 'safe' | 'none';

type AskedProps = {
  question: Pick<QuizQuestion, 'question' | 'options' | 'language'>;
  help: WordHelp;
  /** Called when an explanation is opened. */
  onOpen?: (() => void) | undefined;
};

function useWords({ question, help }: AskedProps): { question: FoundWord[]; options: HardWord[] } {
  const { question: text, options, language } = question;
  const index = useGlossary(language);
  return useMemo(() => {
    if (help === 'none') return { question: [], options: [] };
    if (help === 'safe') return safeWords({ question: text, options }, index);
    const inOptions = options.flatMap((option) => findWords(option, index));
    return {
      question: findWords(text, index),
      options: [...new Set(inOptions.map(({ entry }) => entry))],
    };
  }, [help, index, text, options]);
}

/** The text of a question with its hard words marked. */
export function QuestionText(props: AskedProps) {
  const words = useWords(props).question;
  return <MarkedText text={props.question.question} words={words} onOpen={props.onOpen} />;
}

/**
 * The hard words of the options, in a list below them: an option is a button, which cannot have another one
 * inside.
 */
export function OptionWords(props: AskedProps) {
  const { t } = useTranslation('learner');
  const found = useWords(props);
  const inQuestion = new Set(found.question.map(({ entry }) => entry));
  const words = found.options.filter((word) => !inQuestion.has(word));
  const id = useId();
  if (words.length === 0) return null;
  return (
    <div className={styles.words}>
      <span id={id}>{t('glossary.words')}</span>
      <ul aria-labelledby={id}>
        {words.map((entry) => (
          <li key={entry.word}>
            <Explained entry={entry} text={entry.word} look="chip" onOpen={props.onOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type GlossaryTextProps = { text: string; language: string; onOpen?: () => void };

/** A text that is shown after the answer, with all its hard words marked. */
export function GlossaryText({ text, language, onOpen }: GlossaryTextProps) {
  const index = useGlossary(language);
  const words = useMemo(() => findWords(text, index), [text, index]);
  return <MarkedText text={text} words={words} onOpen={onOpen} />;
}

type MarkedTextProps = {
  text: string;
  words: readonly FoundWord[];
  onOpen: (() => void) | undefined;
};

/** What stands at a word without a space. A line must not begin with the full stop after a word. */
const OPENING = /[^\s\p{L}\p{N}]*$/u;
const CLOSING = /^[^\s\p{L}\p{N}]*/u;

function MarkedText({ text, words, onOpen }: MarkedTextProps) {
  /** Where the text goes on after a word and what stands at it. */
  const endOf = (index: number): number => {
    const word = words[index];
    if (!word) return 0;
    const next = words[index + 1]?.start ?? text.length;
    return word.end + CLOSING.exec(text.slice(word.end, next))![0].length;
  };
  const pieces = words.map(({ start, end, entry }, index) => {
    const between = text.slice(endOf(index - 1), start);
    const opening = OPENING.exec(between)![0];
    const closing = text.slice(end, endOf(index));
    return (
      <span key={start}>
        {between.slice(0, between.length - opening.length)}
        <span className={styles.unbroken}>
          {opening}
          <Explained entry={entry} text={text.slice(start, end)} look="text" onOpen={onOpen} />
          {closing}
        </span>
      </span>
    );
  });
  return (
    <>
      {pieces}
      {text.slice(endOf(words.length - 1))}
    </>
  );
}

type ExplainedProps = {
  entry: HardWord;
  /** The word as it is in the text. */
  text: string;
  look: 'text' | 'chip';
  onOpen: (() => void) | undefined;
};

/**
 * A word that opens its explanation. The explanation is outside of the text, which may be a heading; the browser
 * closes it by Escape or a tap elsewhere.
 */
function Explained({ entry, text, look, onOpen }: ExplainedProps) {
  const { t } = useTranslation('learner');
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles[look]}
        lang="nb"
        popoverTarget={id}
        aria-expanded={open}
        aria-haspopup="dialog"
      >
        {text}
      </button>
      {createPortal(
        // Keys stay in it: otherwise a letter would choose an option.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div
          ref={box}
          id={id}
          popover="auto"
          role="dialog"
          aria-labelledby={`${id}-word`}
          aria-describedby={`${id}-text`}
          className={styles.box}
          // Its content is there only while it is open: a question has many words, and few are opened.
          onBeforeToggle={({ newState }) => {
            if (newState === 'open') flushSync(() => setOpen(true));
          }}
          onToggle={({ newState }) => {
            // Only now: the browser returns the focus from what is in it.
            setOpen(newState === 'open');
            if (newState !== 'open' || !button.current || !box.current) return;
            placeBelow(button.current, box.current);
            // A screen reader then reads the explanation; closing it returns the focus to the word.
            box.current.querySelector('button')?.focus({ preventScroll: true });
            onOpen?.();
          }}
          onKeyDown={(event) => event.stopPropagation()}
        >
          {open && (
            <>
              <div className={styles.head}>
                <strong id={`${id}-word`} lang="nb">
                  {entry.word}
                </strong>
                <button
                  type="button"
                  className={styles.close}
                  popoverTarget={id}
                  popoverTargetAction="hide"
                  aria-label={t('glossary.close')}
                >
                  <XMarkIcon aria-hidden />
                </button>
              </div>
              <div id={`${id}-text`}>
                <p lang="nb">{entry.norwegian}</p>
                <p className={styles.english}>
                  <span>{t('glossary.in_english')}</span> <span lang="en">{entry.english}</span>
                </p>
              </div>
            </>
          )}
        </div>,
        document.body,
      )}
    </>
  );
}

/** The distance to the word, and to the edge of the screen. */
const GAP_PX = 8;

/** Places the explanation below the word; above it where there is no room below. It scrolls with the page. */
function placeBelow(word: HTMLElement, box: HTMLElement): void {
  const at = word.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const hasRoom = at.bottom + GAP_PX + height <= clientHeight || at.top < height + GAP_PX;
  const top = hasRoom ? at.bottom + GAP_PX : at.top - GAP_PX - height;
  const left = Math.max(GAP_PX, Math.min(at.left, clientWidth - width - GAP_PX));
  box.style.top = `${top + window.scrollY}px`;
  box.style.left = `${left + window.scrollX}px`;
}
