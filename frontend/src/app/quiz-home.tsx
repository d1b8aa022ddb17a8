import { Tabs } from '@digdir/designsystemet-react';
import { EnvelopeClosedIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import {
  AccessLink,
  AccountPanel,
  AccountSummary,
  useNeedsAccess,
} from '#features/account/account.tsx';
import { accountKeys, accountQuery } from '#features/account/api.ts';
import { purchasesQuery } from '#features/purchases/api.ts';
import { mayGetDaysWithoutPaying } from '#features/purchases/purchase-state.ts';
import { TestHistory } from '#features/quiz/history.tsx';
import { NewQuiz } from '#features/quiz/new-quiz.tsx';
import { configQuery } from '#lib/config.ts';
import type { SignedInUser } from '#lib/identity.ts';
import { LazyHomeData, LazyProfile } from './lazy-profile.tsx';
import {
  LazyExpiredReason,
  LazyPurchaseList,
  LazyPurchaseNotices,
  LazyRedeemCode,
} from './lazy-purchases.tsx';
import styles from './quiz-home.module.css';
import { isHomeTab } from './search.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** The start page of a signed-in learner. The open tab is in the address, so Back and links work. */
export function QuizHome({ user }: { user: SignedInUser }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const needsAccess = useNeedsAccess();
  const { tab = 'new', topic, language } = useSearch({ from: '/identified/quiz' });

  function show(value: string) {
    if (isHomeTab(value))
      void navigate({ to: '/quiz', search: value === 'new' ? {} : { tab: value } });
  }

  return (
    <Page title={t('home.title')} headerActions={<SignOutButton />}>
      <header className={styles.header}>
        <h1>{t('home.greeting', { name: user.displayName || user.email })}</h1>
        <AccountSummary
          brief={tab === 'account'}
          expiredText={
            <LazyExpiredReason fallback={t('account.expired_text')} optional>
              {t('account.expired_text')}
            </LazyExpiredReason>
          }
        />
      </header>
      <Tabs value={tab} onChange={show}>
        <Tabs.List aria-label={t('home.tabs')} className={styles.tabs}>
          <Tabs.Tab value="new">{t('home.tab_new')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('home.tab_history')}</Tabs.Tab>
          <Tabs.Tab value="account">{t('home.tab_account')}</Tabs.Tab>
          <Tabs.Tab value="contact">{t('home.tab_contact')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="new" className={`${styles.panel} ${styles.tall}`}>
          <NewQuiz topic={topic} language={language} access={needsAccess && <AccessLink />} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={`${styles.panel} ${styles.tall}`}>
          {/* A hidden panel is rendered too; this one loads its data only when it is opened. */}
          {tab === 'history' && <TestHistory />}
        </Tabs.Panel>
        <Tabs.Panel value="account" className={styles.panel}>
          <AccountTab shown={tab === 'account'} user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="contact" className={styles.panel}>
          <div className={styles.contact}>
            <FormCard>
              <ContactPanel />
            </FormCard>
          </div>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** The account tab. Purchases are fetched only when the tab is opened. */
function AccountTab({ shown, user }: { shown: boolean; user: SignedInUser }) {
  const { t } = useTranslation();
  const { data: service } = useQuery(accountQuery);
  const { data: purchases } = useQuery({ ...purchasesQuery, enabled: shown });
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <AccountPanel
          profile={
            shown &&
            service && (
              <LazyProfile
                user={user}
                fallback={<SkeletonLines label={t('app.loading')} />}
                failed={t('account.profile_failed')}
              />
            )
          }
          onHold={mayGetDaysWithoutPaying(purchases)}
          notices={
            shown &&
            service && (
              <LazyPurchaseNotices
                hasAccess={service.days_remaining > 0}
                failed={t('account.notices_failed')}
              />
            )
          }
        />
        {shown && (
          <LazyRedeemCode accountKey={accountKeys.all} failed={t('account.redeem_failed')} />
        )}
        {shown && (
          <LazyPurchaseList
            fallback={<SkeletonLines label={t('app.loading')} />}
            failed={t('account.purchases_failed')}
          />
        )}
      </div>
      <div className={styles.column}>
        {shown && (
          <LazyHomeData
            user={user}
            fallback={<SkeletonLines label={t('app.loading')} />}
            failed={t('account.data_failed')}
          />
        )}
      </div>
    </div>
  );
}

function ContactPanel() {
  const { t } = useTranslation();
  const { data: config, isError, refetch } = useQuery(configQuery);
  return (
    <div className={styles.contactPanel}>
      <h2>{t('contact.title')}</h2>
      <p>{t('contact.text')}</p>
      {isError && <RetryAlert onRetry={() => void refetch()}>{t('error.load')}</RetryAlert>}
      {config && (
        <a className={`ds-link ${styles.address}`} href={`mailto:${config.support_email}`}>
          <EnvelopeClosedIcon aria-hidden />
          <span>{config.support_email}</span>
        </a>
      )}
    </div>
  );
}
