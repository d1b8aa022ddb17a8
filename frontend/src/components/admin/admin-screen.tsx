import { type ReactNode, useId } from 'react';
import { formatPercent } from '#lib/format.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import styles from './admin-screen.module.css';

type AdminScreenProps = {
  /** Heading, and title of the browser's tab. */
  title: string;
  /** One line on what the screen is for. */
  lead?: ReactNode;
  /** Buttons that concern the whole screen. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A screen of the admin portal, inside its frame: a heading, and what belongs to it in a column. */
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

/** A few numbers that matter, side by side. One that is not known yet is a grey line. */
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

/** What stands where nothing is, and what to do next. */
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
  /** As it is shown and read out. */
  amount: string;
  /** From 0 to 1; null where it is not known. */
  share: number | null;
};

/** How much of something is done. */
export function ShareBar({ label, amount, share }: ShareBarProps) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <span className={styles.amount}>
        {amount}
        {share !== null && <strong>{formatPercent(Math.floor(share * 100) / 100)}</strong>}
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
