import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import styles from './admin-screen.module.css';

type AdminScreenProps = {
  /** Heading, and title of the browser's tab. */
  title: string;
  /** One line about the purpose of the page. */
  lead?: ReactNode;
  /** Buttons for the whole page. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the admin portal, inside its frame: a heading, and the content in a column. */
export function AdminScreen({ title, lead, actions, children }: AdminScreenProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.screen}>
      <div className={styles.top}>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** Key figures side by side. One that is still loading is a grey line. */
export function StatTiles({ tiles }: { tiles: { label: string; value: string | undefined }[] }) {
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ label, value }) => (
        <div key={label} className={styles.tile}>
          <dt>{label}</dt>
          <dd>{value ?? <span className={`ds-skeleton ${styles.unknown}`} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shown in place of an empty list, with what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

type ShareBarProps = {
  label: string;
  /** The amount as it is shown and read aloud. */
  amount: string;
  /** From 0 to 1; null if unknown. */
  share: number | null;
};

/** A progress bar with an amount. */
export function ShareBar({ label, amount, share }: ShareBarProps) {
  const id = useId();
  const { i18n } = useTranslation();
  return (
    <div className={styles.progress}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <span className={styles.amount}>
        {amount}
        {share !== null && (
          <strong>{formatPercent(Math.floor(share * 100) / 100, i18n.language)}</strong>
        )}
      </span>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.floor(share * 100)}
        aria-valuetext={amount}
        className={styles.bar}
      >
        <div style={{ transform: `scaleX(${share ?? 0})` }} />
      </div>
    </div>
  );
}
