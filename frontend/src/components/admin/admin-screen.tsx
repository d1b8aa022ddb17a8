import type { ReactNode } from 'react';
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
