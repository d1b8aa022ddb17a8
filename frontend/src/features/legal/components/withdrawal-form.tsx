import { useTranslation } from 'react-i18next';
import { SellerDetails } from './seller-details.tsx';
import styles from './withdrawal-form.module.css';

const FIELDS = ['bought_on', 'receipt', 'name', 'address', 'email', 'signature', 'date'] as const;

/**
 * The standard withdrawal form of the law (forskrift til angrerettloven, the annex), to be printed or
 * copied. It is never sent from here: signed in, one withdraws by a button.
 */
export function WithdrawalForm() {
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
