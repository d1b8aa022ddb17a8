import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import styles from './legal-text.module.css';
import { WithdrawalForm } from './withdrawal-form.tsx';
import own from './withdrawal-right.module.css';

const SECTIONS = ['how_long', 'what_back', 'how', 'otherwise', 'law'] as const;

/** The right of withdrawal in plain words, the way to use it here, and the form for any other way. */
export function WithdrawalRight() {
  const { t } = useTranslation('purchase');
  return (
    <>
      <div className={own.unprinted}>
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
