import { type ReactNode, useId } from 'react';
import styles from './settings-form.module.css';

type FieldGroupProps = { title: string; text: string; children: ReactNode };

/** Fields that belong together, with what they are for. */
export function FieldGroup({ title, text, children }: FieldGroupProps) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
