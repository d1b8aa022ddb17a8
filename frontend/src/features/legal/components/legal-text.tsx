import { useTranslation } from 'react-i18next';
import type { LegalDocument } from '../legal-document.ts';
import { Block } from './block.tsx';
import styles from './legal-text.module.css';
import { RichText } from './rich-text.tsx';

/** Fewer sections than this are seen at a glance. */
const LONG = 5;

export function LegalText({ document }: { document: LegalDocument }) {
  const { t } = useTranslation();
  const { title, updated, changes, note, intro, sections } = document;
  return (
    <article className={styles.article}>
      <h1>{title}</h1>
      <div className={`muted ${styles.dates}`}>
        <p>{updated}</p>
        {changes.length > 0 && (
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
        {note && <p>{note}</p>}
      </div>
      <p className={styles.intro}>
        <RichText>{intro}</RichText>
      </p>
      {sections.length >= LONG && (
        <nav className={styles.contents} aria-labelledby="contents">
          <h2 id="contents">{t('legal.contents')}</h2>
          <ol>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`} className="ds-link">
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {sections.map((section) => (
        <section key={section.id} className={styles.section} aria-labelledby={section.id}>
          <h2 id={section.id}>{section.title}</h2>
          {section.blocks.map((block, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- The blocks of a text never move.
            <Block key={index} block={block} />
          ))}
        </section>
      ))}
    </article>
  );
}
