import type { ReactNode } from 'react';
import styles from './message-page.module.css';
import { Page } from './page.tsx';

type MessagePageProps = { title: string; text: string; children: ReactNode; role?: 'alert' };

/** A whole page that says one thing and offers the ways on. */
export function MessagePage({ title, text, children, role }: MessagePageProps) {
  return (
    <Page title={title} width="text">
      <div className={styles.message} role={role}>
        <svg className={styles.drawing} viewBox="0 0 240 120" aria-hidden="true">
          <circle cx="176" cy="34" r="16" fill="#f0a13c" />
          <path d="M0 104 62 40l34 34 44-56 100 86Z" fill="currentColor" opacity=".28" />
          <path d="M0 104h240v3H0zM30 113h88v3H30zM150 113h54v3h-54z" fill="currentColor" />
        </svg>
        <h1>{title}</h1>
        <p>{text}</p>
        <div className={styles.actions}>{children}</div>
      </div>
    </Page>
  );
}
