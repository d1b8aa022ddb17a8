import { type ReactNode, useEffect } from 'react';
import { settleLanguage } from '#i18n/choose-language.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import styles from './page.module.css';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

type PageProps = {
  /** Title of the browser tab; the brand is added. */
  title: string;
  children: ReactNode;
  /** What stands at the right of the header, before the language switch. */
  headerActions?: ReactNode;
  width?: 'full' | 'wide' | 'text' | 'form';
};

/** Header, main content and footer: the frame of every page but the quiz itself. */
export function Page({ title, children, headerActions, width = 'wide' }: PageProps) {
  useDocumentTitle(title);
  // Here, because this is inside what React hydrates last: changed earlier, texts would not match.
  useEffect(settleLanguage, []);
  return (
    <>
      <SiteHeader actions={headerActions} />
      <main id="content" tabIndex={-1} className={styles.main} data-width={width}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
