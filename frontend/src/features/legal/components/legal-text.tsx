import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/language.ts';
import type { LegalDocument } from '../texts.ts';
import styles from './legal-text.module.css';
import { SellerDetails } from './seller-details.tsx';

export function LegalText({ document }: { document: LegalDocument }) {
  const { t, i18n } = useTranslation();
  const translated = languageTag(i18n.language) === 'nb';
  return (
    <>
      {!translated && <p className={`muted ${styles.note}`}>{t('legal.norwegian_only')}</p>}
      <article lang="nb" className={styles.article}>
        <h1>{document.title}</h1>
        <p className="muted">Sist oppdatert 14. januar 2025</p>
        {document.changes?.map((change) => (
          <p key={change} className="muted">
            {change}
          </p>
        ))}
        <p className={styles.intro}>{document.intro}</p>
        {document.sections.map(({ title, text, seller, link }) => (
          <section key={title} className={styles.section}>
            <h2>{title}</h2>
            <p>{text}</p>
            {seller && <SellerDetails />}
            {link && (
              <p>
                <Link to={link.to} className="ds-link">
                  {link.text}
                </Link>
              </p>
            )}
          </section>
        ))}
      </article>
    </>
  );
}
