import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { Page, SessionLink } from '#components/page.tsx';
import styles from './legal.module.css';
import { SellerDetails } from './seller-details.tsx';

export function WithdrawalRightPage() {
  const { t } = useTranslation('purchase');
  return (
    <Page title={t('withdrawal_right.title')} width="text" headerActions={<SessionLink />}>
      <WithdrawalRight />
    </Page>
  );
}

const SECTIONS = ['how_long', 'what_back', 'how', 'otherwise', 'law'] as const;

/** The right of withdrawal in plain words, how to use it here, and the standard form. */
function WithdrawalRight() {
  const { t } = useTranslation('purchase');
  return (
    <>
      <div className={styles.unprinted}>
        <article className={styles.article}>
          <h1>{t('withdrawal_right.title')}</h1>
          <p className={styles.intro}>{t('withdrawal_right.intro')}</p>
          {SECTIONS.map((section) => (
            <section key={section} className={styles.section}>
              <h2>{t(`withdrawal_right.${section}_title`)}</h2>
              <p>{t(`withdrawal_right.${section}_text`)}</p>
              {section === 'how' && (
                <p>
                  <ButtonLink to="/quiz" search={{ tab: 'account' }} preload={false}>
                    {t('withdrawal_right.to_account')}
                  </ButtonLink>
                </p>
              )}
            </section>
          ))}
        </article>
      </div>
      <WithdrawalForm />
    </>
  );
}

const FIELDS = ['bought_on', 'receipt', 'name', 'address', 'email', 'signature', 'date'] as const;

/**
 * The statutory withdrawal form (the annex of forskrift til angrerettloven), to print or copy. It is not
 * submitted here: a signed-in learner withdraws by a button.
 */
function WithdrawalForm() {
  const { t } = useTranslation('purchase');
  return (
    <section className={styles.form} aria-labelledby="withdrawal-form">
      <h2 id="withdrawal-form">{t('withdrawal_form.title')}</h2>
      <p>{t('withdrawal_form.use')}</p>
      <div>
        <p>{t('withdrawal_form.to')}</p>
        <SellerDetails />
      </div>
      <p>{t('withdrawal_form.statement')}</p>
      <dl className={styles.fields}>
        {FIELDS.map((field) => (
          <div key={field}>
            <dt>{t(`withdrawal_form.${field}`)}</dt>
            <dd />
          </div>
        ))}
      </dl>
      <p className={styles.unprinted}>
        <button
          type="button"
          className="ds-button"
          data-variant="secondary"
          onClick={() => window.print()}
        >
          {t('withdrawal_form.print')}
        </button>
      </p>
    </section>
  );
}
