import { Button, Switch } from '@digdir/designsystemet-react';
import { SpeakerSlashIcon, SpeakerSoundWave2Icon, StopFillIcon } from '@navikt/aksel-icons';
import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { languageInWords } from '#lib/question-language.ts';
import { type Passage, reader } from '#lib/speech.ts';
import { useStored } from '#lib/use-stored.ts';
import styles from './question.module.css';
import { optionLetter } from './option-letter.ts';

/** Reads a question and its options aloud. Without a voice for the language, `NoVoice` says so further down. */
export function ReadQuestion({ question }: { question: QuizQuestion }) {
  const { t } = useTranslation('learner');
  const { language, options } = question;
  const aloud = useReadAloud('question', language, () => [
    { text: question.question, language },
    ...options.map((option, number) => ({ text: `${optionLetter(number)}: ${option}`, language })),
  ]);
  // The slow speed is offered once the learner has listened.
  const [isOffered, setOffered] = useState(false);
  if ((aloud.reading || aloud.slow) && !isOffered) setOffered(true);
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

/** Says that this browser has no voice for a language, and what helps. Nothing where it has one. */
export function NoVoice({ language }: { language: string }) {
  const { t } = useTranslation('learner');
  const hasVoice = useSyncExternalStore(reader.subscribe, () => reader.canRead(language), no);
  if (hasVoice) return null;
  return (
    <details className={styles.noVoice}>
      <summary>
        <SpeakerSlashIcon aria-hidden />
        {t('language.no_voice')}
      </summary>
      <p>
        {t('language.no_voice_text', { language: languageInWords(language, currentLanguage()) })}
      </p>
    </details>
  );
}

type ReadAloudButtonProps = { label: string; reading: boolean; onClick: () => void };

export function ReadAloudButton({ label, reading, onClick }: ReadAloudButtonProps) {
  const { t } = useTranslation('learner');
  const Icon = reading ? StopFillIcon : SpeakerSoundWave2Icon;
  return (
    <Button variant="tertiary" data-size="sm" className={styles.button} onClick={onClick}>
      <Icon aria-hidden />
      {reading ? t('language.stop') : label}
    </Button>
  );
}

/** The snapshot for prerendering. */
const no = () => false;
const RATE = { normal: 1, slow: 0.75 };

/**
 * A text that can be read aloud. It starts only on a click, because screen readers speak too.
 */
export function useReadAloud(name: string, language: string, toPassages: () => Passage[]) {
  const [speed, setSpeed] = useStored('proveklar.reading-speed', ['normal', 'slow'], 'normal');
  const available = useSyncExternalStore(reader.subscribe, () => reader.canRead(language), no);
  const reading = useSyncExternalStore(reader.subscribe, () => reader.reading() === name, no);
  return {
    available,
    reading,
    slow: speed === 'slow',
    toggle: () => {
      if (reading) reader.stop();
      else reader.read(name, toPassages(), RATE[speed]);
    },
    setSlow: (slow: boolean) => {
      const next = slow ? 'slow' : 'normal';
      setSpeed(next);
      // Restarts, because the speed of a running utterance cannot be changed.
      if (reading) reader.read(name, toPassages(), RATE[next]);
    },
  };
}

const silenceAfter = (_shown: string) => () => reader.stop();

/** Stops reading aloud when one of the values changes. */
export function useSilenceAfter(...what: (string | undefined)[]): void {
  const shown = what.join(' ');
  useEffect(() => silenceAfter(shown), [shown]);
}
