import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, settleLanguage } from '#i18n/choose-language.ts';
import { configQuery } from '#lib/config.ts';
import { onSignedInHint, seemsSignedIn } from '#lib/cookies.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { BrandMark } from './brand-mark.tsx';
import { ButtonLink, Link } from './link.tsx';
import styles from './page.module.css';

type PageProps = {
  /** Title of the browser tab; the brand is added. */
  title: string;
  children: ReactNode;
  /** Shown at the right of the header, before the language switch. */
  headerActions?: ReactNode;
  width?: 'full' | 'wide' | 'text' | 'form';
};

/** Header, main content and footer: the frame of every page but the quiz itself. */
export function Page({ title, children, headerActions, width = 'wide' }: PageProps) {
  useDocumentTitle(title);
  // Here, because React hydrates this part last: an earlier change of language would cause a mismatch.
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

/** The first focus of every page, before its header. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className="ds-skip-link" href="#content">
      {t('app.skip_to_content')}
    </a>
  );
}

export function SiteHeader({ actions }: { actions?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <header className={styles.header}>
      <div className={styles.headerInner}>
        <Link to="/" className={styles.brand} aria-label={t('app.home')}>
          <BrandMark />
          <span className={styles.name}>{t('app.name')}</span>
        </Link>
        <div className={styles.actions}>
          {actions}
          <LanguageSwitch />
        </div>
      </div>
    </header>
  );
}

/** Whether a learner seems to be signed in. The gateway sends the same page to everyone: false until the hydration. */
export const useSeemsSignedIn = (): boolean =>
  useSyncExternalStore(onSignedInHint, seemsSignedIn, () => false);

/** On pages without the identity code: a link to the sign-in, or to the home for a signed-in visitor. */
export function SessionLink() {
  const { t } = useTranslation();
  const signedIn = useSeemsSignedIn();
  return (
    <ButtonLink
      to={signedIn ? '/quiz' : '/login'}
      variant="tertiary"
      className={styles.sessionLink}
    >
      {t(signedIn ? 'actions.to_quiz_home' : 'actions.sign_in')}
    </ButtonLink>
  );
}

// Each language is named in itself, so that it can be found without knowing the other.
const choices: { language: AppLanguage; short: string; name: string }[] = [
  { language: 'no', short: 'NO', name: 'Norsk' },
  { language: 'en', short: 'EN', name: 'English' },
];

type LanguageSwitchProps = {
  /** Shows whole names, where the languages are a choice of their own. */
  named?: boolean;
  /** Replaces the change of the page's language. */
  choose?: (language: AppLanguage) => Promise<void>;
};

export function LanguageSwitch({ named, choose = chooseLanguage }: LanguageSwitchProps) {
  const { t, i18n } = useTranslation();
  return (
    <div role="group" aria-label={t('app.language')} className={styles.languages}>
      {choices.map(({ language, short, name }) => (
        <button
          key={language}
          type="button"
          className={styles.language}
          lang={languageTag(language)}
          aria-label={named ? undefined : `${short} – ${name}`}
          aria-pressed={i18n.resolvedLanguage === language}
          onClick={() => void choose(language)}
        >
          {named ? name : short}
        </button>
      ))}
    </div>
  );
}

function SiteFooter() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return (
    <footer className={styles.footer}>
      <div className={styles.footerInner}>
        <nav aria-label={t('footer.nav')}>
          <ul className={styles.links}>
            <li>
              <Link to="/personvern">{t('footer.privacy')}</Link>
            </li>
            <li>
              <Link to="/vilkar">{t('footer.terms')}</Link>
            </li>
            <li>
              <Link to="/angrerett">{t('footer.withdrawal')}</Link>
            </li>
            <li>
              <Link to="/cookies">{t('footer.cookies')}</Link>
            </li>
            <li>
              <Link to="/tilgjengelighet">{t('footer.accessibility')}</Link>
            </li>
            <li>
              <Link to="/skoler">{t('footer.codes')}</Link>
            </li>
            <li>
              {/* Not a page of the router: the gateway answers it alone. */}
              <a href="/status">{t('footer.status')}</a>
            </li>
            <li>
              <a href={config ? `mailto:${config.support_email}` : undefined}>
                {t('footer.contact')}
              </a>
            </li>
          </ul>
        </nav>
        {/* Always there, so that the page which the server filled in is taken over as it is. */}
        <p className={styles.note}>{sellerLine(config?.seller)}</p>
        <p className={styles.note}>{t('footer.not_affiliated')}</p>
        <p className={styles.note}>
          {t('footer.copyright')}
          {/* Its page loads the sign-in: not because a pointer passes. */}
          <Link to="/admin" preload={false}>
            {t('footer.admin')}
          </Link>
        </p>
      </div>
    </footer>
  );
}

type MessagePageProps = { title: string; text: string; children: ReactNode; role?: 'alert' };

/** A whole page with one message and links to continue. */
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
        <div className={styles.messageActions}>{children}</div>
      </div>
    </Page>
  );
}
