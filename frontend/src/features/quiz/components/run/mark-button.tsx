import { Button } from '@digdir/designsystemet-react';
import { BookmarkFillIcon, BookmarkIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './mark-button.module.css';

type MarkButtonProps = { n: number; marked: boolean; onToggle: () => void };

/** Marks the question to come back to it. Said aloud, because the key M changes it from anywhere. */
export function MarkButton({ n, marked, onToggle }: MarkButtonProps) {
  const { t } = useTranslation('learner');
  const [at, setAt] = useState({ n, marked });
  const [said, setSaid] = useState('');
  if (at.n !== n || at.marked !== marked) {
    setAt({ n, marked });
    const text = t(marked ? 'practice.announce_marked' : 'practice.announce_unmarked', { n });
    setSaid(at.n === n ? text : '');
  }
  const Icon = marked ? BookmarkFillIcon : BookmarkIcon;
  return (
    <div className={styles.place}>
      <Button
        variant="tertiary"
        data-color="accent"
        data-size="sm"
        aria-pressed={marked}
        className={styles.mark}
        onClick={onToggle}
      >
        <Icon aria-hidden />
        {t('practice.mark')}
      </Button>
      <p role="status" className="ds-sr-only">
        {said}
      </p>
    </div>
  );
}
