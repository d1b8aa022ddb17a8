import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Toaster } from 'sonner';
import 'sonner/dist/styles.css';
import styles from './notices.module.css';

const style = {
  '--width': '27rem',
  fontFamily: 'inherit',
  '--normal-bg': 'var(--ds-color-neutral-base-default)',
  '--normal-border': 'transparent',
  '--normal-text': 'var(--ds-color-neutral-base-contrast-default)',
} as CSSProperties;

const classNames = {
  toast: styles.notice ?? '',
  actionButton: styles.action ?? '',
  closeButton: styles.close ?? '',
};

/** Where notices appear; once, in the frame of the portal. Shown with `notify` (notify.ts). */
export function Notices() {
  const { t } = useTranslation('admin');
  return (
    <Toaster
      position="bottom-center"
      containerAriaLabel={t('shell.notices')}
      closeButton
      style={style}
      toastOptions={{
        closeButtonAriaLabel: t('shell.dismiss'),
        classNames,
      }}
    />
  );
}
