import { DownloadIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import styles from './format-hint.module.css';

const REQUIRED = ['language', 'topic', 'question', 'answer', 'incorrect'] as const;
const OPTIONAL = ['explanation', 'source_url', 'checked_at', 'group', 'tags', 'uuid'] as const;

// Content of the bank, which is Norwegian in both languages of the screen.
const EXAMPLE = `[
  {
    "language": "no",
    "topic": "Historie",
    "question": "Når fikk Norge sin egen grunnlov?",
    "answer": "1814",
    "incorrect": ["1905", "1945", "1776"]
  }
]`;

/** What a file has to look like, with an example and files to begin with. */
export function FormatHint() {
  const { t } = useTranslation('admin');
  return (
    <div className={styles.hint}>
      <p>{t('import.format_short')}</p>
      <ul className={styles.templates}>
        {(['json', 'csv'] as const).map((format) => (
          <li key={format}>
            <a
              className="ds-button"
              data-variant="tertiary"
              data-size="sm"
              href={`/api/v1/admin/import-templates/${format}`}
              download
            >
              <DownloadIcon aria-hidden />
              {t('import.template', { format: format.toUpperCase() })}
            </a>
          </li>
        ))}
      </ul>
      <details className={styles.details}>
        <summary>{t('import.format_title')}</summary>
        <div className={styles.content}>
          <p>{t('import.format_json')}</p>
          <pre lang="nb">
            <code>{EXAMPLE}</code>
          </pre>
          <dl className={styles.fields}>
            {[...REQUIRED, ...OPTIONAL].map((field, position) => (
              <div key={field}>
                <dt>
                  <code>{field}</code>
                  {position >= REQUIRED.length && <span>{t('import.optional')}</span>}
                </dt>
                <dd>{t(`import.field.${field}`)}</dd>
              </div>
            ))}
          </dl>
          <p>{t('import.format_csv')}</p>
        </div>
      </details>
    </div>
  );
}
