import { memo, Suspense, use, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink, Link } from '#components/link.tsx';
import { Page, SessionLink } from '#components/page.tsx';
import { onSignedInHint, showSignedInHint } from '#lib/cookies.ts';
import illustration from './hero.svg';
import styles from './landing.module.css';
// With the page: the HTML that they style is there before its code.
import './pricing.module.css';
import './rest.module.css';
import { hydrateRestWhenWanted, loadedRest, restIsHydrated, wantedRest } from './late-rest.ts';
import { TryQuestion } from './try-question.tsx';

export function LandingPage() {
  const { t } = useTranslation();
  // A layout effect: the language may change in an effect of the page.
  useLayoutEffect(hydrateRestWhenWanted, []);
  useEffect(() => {
    showSignedInHint();
    return onSignedInHint(showSignedInHint);
  }, []);
  return (
    <Page title={t('landing.title')} width="full" headerActions={<SessionLink />}>
      <Hero />
      <div className={styles.sections}>
        <TryQuestion />
        <LateRest />
      </div>
    </Page>
  );
}

// Without props and memoized: an update of the boundary before it is hydrated, such as when texts are
// added, would replace the server's HTML.
const LateRest = memo(function LateRest() {
  return (
    <Suspense>
      <Rest />
    </Suspense>
  );
});

function Rest() {
  const { RestOfLanding } = loadedRest() ?? use(wantedRest());
  return <RestOfLanding onHydrated={restIsHydrated} />;
}

function Hero() {
  const { t } = useTranslation();
  return (
    <section className={styles.hero}>
      <div className={styles.text}>
        <p className={styles.eyebrow}>{t('landing.eyebrow')}</p>
        <h1 className={styles.headline}>{t('landing.headline')}</h1>
        <p className={styles.subtitle}>{t('landing.subtitle')}</p>
        <div className={`${styles.actions} ${styles.offer}`}>
          <ButtonLink to="/smakebit" data-color="accent" data-size="lg">
            {t('landing.try_sample')}
          </ButtonLink>
          <ButtonLink to="/quiz" variant="secondary" className={styles.quiet}>
            {t('landing.start_quiz')}
          </ButtonLink>
          <Link to="/" hash="pris" className={`ds-link tap ${styles.toPrice}`}>
            {t('landing.see_price')}
          </Link>
        </div>
        <div className={`${styles.actions} ${styles.signedIn}`}>
          <ButtonLink to="/quiz" data-color="accent" data-size="lg">
            {t('landing.continue')}
          </ButtonLink>
        </div>
      </div>
      <img
        className={styles.illustration}
        src={illustration}
        alt={t('landing.hero_alt')}
        width={1440}
        height={720}
        fetchPriority="high"
      />
    </section>
  );
}
