import { Switch } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { optionLetter } from '../../run/quiz-position.ts';
import type { QuizKeysState } from '../../run/use-quiz-keys.ts';
import styles from './run-actions.module.css';

/** Which keys do what, and the switch that turns letters and digits off. */
export function KeyboardHelp({ keys, options }: { keys: QuizKeysState; options: number }) {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.keys} data-used={keys.used || undefined}>
      <p>
        {t('run.keyboard', { n: options, letter: optionLetter(options - 1) })}{' '}
        {keys.marks && t('practice.keyboard_mark')}
      </p>
      <Switch
        data-size="sm"
        label={t('run.letter_keys')}
        checked={keys.letters}
        onChange={(event) => keys.setLetters(event.currentTarget.checked)}
      />
    </div>
  );
}
