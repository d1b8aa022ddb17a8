import type { ReactNode } from 'react';
import styles from './form-card.module.css';

/** The white sheet that forms and single tasks stand on. */
export function FormCard({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
