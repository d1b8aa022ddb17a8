import { Alert } from '@digdir/designsystemet-react';
import styles from './outcome-alert.module.css';

type OutcomeAlertProps = {
  tone: 'success' | 'info' | 'warning' | 'danger';
  title: string;
  /** A paragraph each; what is false is left out. */
  texts: readonly (string | false | null)[];
};

export function OutcomeAlert({ tone, title, texts }: OutcomeAlertProps) {
  return (
    <Alert data-color={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <div className={styles.outcome}>
        <h2>{title}</h2>
        {texts.map((text) => text && <p key={text}>{text}</p>)}
      </div>
    </Alert>
  );
}
