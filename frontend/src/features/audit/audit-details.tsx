import { useTranslation } from 'react-i18next';
import { formatCount, formatShortDate } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import { languageName } from '#lib/question-language.ts';
import styles from './audit.module.css';

/** The values before and after an action, and its other details. */
export function AuditDetails({ details }: { details: Record<string, unknown> }) {
  const { t } = useTranslation('admin');
  const fieldText = useFieldText();
  const valueText = useValueText();
  const changes = readChanges(details);
  const facts = readFacts(details);
  if (changes.length === 0 && facts.length === 0) return null;
  return (
    <dl className={styles.details}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{fieldText(field)}</dt>
          <dd>
            <span className={styles.hidden}>{t('audit.before')}: </span>
            <del>{valueText(before, field)}</del>
            <span aria-hidden="true"> → </span>
            <span className={styles.hidden}>, {t('audit.after')}: </span>
            <ins>{valueText(after, field)}</ins>
          </dd>
        </div>
      ))}
      {facts.map(({ field, value }) => (
        <div key={field}>
          <dt>{fieldText(field)}</dt>
          <dd>{valueText(value, field)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same in one line, for a file. */
export function useDetailsText() {
  const { t } = useTranslation('admin');
  const fieldText = useFieldText();
  const valueText = useValueText();
  return (details: Record<string, unknown>): string =>
    [
      ...readChanges(details).map(
        ({ field, before, after }) =>
          `${fieldText(field)}: ${t('audit.before')} ${valueText(before, field)}, ${t('audit.after')} ${valueText(after, field)}`,
      ),
      ...readFacts(details).map(
        ({ field, value }) => `${fieldText(field)}: ${valueText(value, field)}`,
      ),
    ].join('; ');
}

function useFieldText() {
  const { t, i18n } = useTranslation('admin');
  return (field: string): string => {
    const key = `audit.field.${field}`;
    return i18n.exists(key, { ns: 'admin' })
      ? t(key as 'audit.field.price')
      : field.replaceAll('_', ' ');
  };
}

function useValueText() {
  const { t, i18n } = useTranslation('admin');
  const fieldText = useFieldText();
  return function text(value: unknown, field: string): string {
    if (value === null || value === undefined || value === '') return t('audit.not_set');
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    if (typeof value === 'number' && AMOUNTS.has(field)) return formatKroner(value, i18n.language);
    if (typeof value === 'number') {
      return IDS.has(field) ? String(value) : formatCount(value, i18n.language);
    }
    if (typeof value === 'string') {
      if (field === 'fields') return fieldText(value);
      if (LANGUAGES.has(field)) return languageName(value, i18n.language);
      if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatShortDate(value, i18n.language);
      if (UUID.test(value)) return shortId(value);
      const key =
        field === 'action' && value.includes('.')
          ? `audit.action.${value}`
          : `audit.value.${field}.${value}`;
      return i18n.exists(key, { ns: 'admin' })
        ? t(key as 'audit.value.state.fixed', { subject: '…' })
        : value;
    }
    if (Array.isArray(value)) return value.map((one) => text(one, field)).join(' · ');
    const parts = Object.entries(value as Details).filter(([, part]) => part !== null);
    return parts.map(([part, one]) => `${fieldText(part)}: ${text(one, part)}`).join(' · ');
  };
}

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Fields with amounts in kroner. */
const AMOUNTS: ReadonlySet<string> = new Set(['price', 'amount']);
/** Fields with codes of languages. */
const LANGUAGES: ReadonlySet<string> = new Set(['language', 'languages']);
/** Fields whose numbers are no counts: ids, and a year. */
const IDS: ReadonlySet<string> = new Set([
  'similar_id',
  'sibling',
  'translation_of',
  'row',
  'ages',
]);

type Details = Record<string, unknown>;

function isRecord(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that an action changed: `details.changes`, each with `before` and `after`. */
export function readChanges({ changes }: Details): Change[] {
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([field, change]) =>
    isRecord(change) ? [{ field, before: change.before, after: change.after }] : [],
  );
}

/** All other details that are not empty. */
export function readFacts(details: Details): { field: string; value: unknown }[] {
  return Object.entries(details)
    .filter(([field, value]) => field !== 'changes' && value !== null && value !== false)
    .map(([field, value]) => ({ field, value }));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The end of a UUID, which distinguishes it from others created at the same time: "7e5b0d43". */
export function shortId(subject: string): string {
  return UUID.test(subject) ? subject.slice(-8) : subject;
}

// What a person wrote must not run as a formula: see services/csv/csv.ts.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** A quoted cell of a CSV file. */
export function toCell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}
