import { Button } from '@digdir/designsystemet-react';
import { XMarkIcon } from '@navikt/aksel-icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#components/brand-mark.tsx';
import styles from './run-header.module.css';

type RunHeaderProps = {
  topic: string;
  answered: number;
  total: number;
  onExit: () => void;
  /** The clock of a test that has one. */
  children?: ReactNode;
};

export function RunHeader({ topic, answered, total, onExit, children }: RunHeaderProps) {
  const { t } = useTranslation('learner');
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <BrandMark size={28} />
        <span className={styles.topic}>{topic}</span>
        {children}
        <Button
          icon
          variant="tertiary"
          data-color="neutral"
          aria-label={t('run.exit')}
          onClick={onExit}
        >
          <XMarkIcon aria-hidden />
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={t('run.progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={answered}
        aria-valuetext={t('run.map_count', { n: answered, total })}
        className={styles.progress}
      >
        <div className={styles.done} style={{ width: `${(answered / total) * 100}%` }} />
      </div>
    </header>
  );
}
