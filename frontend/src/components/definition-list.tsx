import type { ReactNode } from 'react';
import styles from './definition-list.module.css';

type Row = { label: string; value: ReactNode };

export function DefinitionList({ rows }: { rows: Row[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(({ label, value }) => (
        <div key={label} className={styles.row}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
