import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import styles from './option-button.module.css';

/**
 * open: can be chosen. chosen: picked, not judged. right, wrong: picked and judged.
 * key: the correct one, not picked. other: neither.
 */
export type OptionLook = 'open' | 'chosen' | 'right' | 'wrong' | 'key' | 'other';

type OptionButtonProps = {
  letter: string;
  text: string;
  look: OptionLook;
  locked: boolean;
  onChoose: (byPointer: boolean) => void;
};

/**
 * A button and not a radio: choosing answers at once, which arrow keys in a radio group would do
 * by accident. Locked ones stay focusable, so that the keyboard does not lose its place.
 */
export function OptionButton({ letter, text, look, locked, onChoose }: OptionButtonProps) {
  const { t, i18n } = useTranslation('learner');
  const judged = look === 'right' || look === 'key' || look === 'wrong';
  const Icon = look === 'wrong' ? XMarkOctagonFillIcon : CheckmarkCircleFillIcon;
  const picked = look === 'chosen' || look === 'right' || look === 'wrong';
  return (
    <button
      type="button"
      className={styles.option}
      data-look={look}
      aria-pressed={picked}
      aria-disabled={locked || undefined}
      // A click by key or by a screen reader has no count.
      onClick={(event) => onChoose(event.detail > 0)}
    >
      <span className={styles.letter}>{letter}</span>
      <span className={styles.text}>{text}</span>
      {judged && (
        <span className={styles.verdict} lang={i18n.language === 'en' ? 'en' : 'nb'}>
          <Icon aria-hidden />
          {t(
            look === 'wrong' ? 'run.wrong' : look === 'right' ? 'run.right' : 'run.correct_answer',
          )}
        </span>
      )}
    </button>
  );
}
