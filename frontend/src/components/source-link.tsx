import { hostOf } from '@proveklar/contract/formats.ts';
import { languageTag } from '@proveklar/contract/language.ts';
import { useTranslation } from 'react-i18next';

export type Source = {
  source_url?: string | null;
  source_title?: string | null;
  /** When it was last read: a date. */
  checked_at?: string | null;
};

/** Where an explanation comes from: "Kilde: Stortinget, lest 23.11.2026". */
export function SourceLink({ source }: { source: Source }) {
  const { t, i18n } = useTranslation();
  const { source_url: url, source_title: title, checked_at: day } = source;
  const name = title ?? (url && hostOf(url));
  if (!name) return null;
  const text = day
    ? t('source.read', { name, date: formatReadDay(day, i18n.language) })
    : t('source.name', { name });
  if (!url) return <span>{text}</span>;
  return (
    <a className="ds-link tap" href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** 2026-11-23 → "23.11.2026"; "23 November 2026" on an English screen. */
function formatReadDay(day: string, language: string): string {
  const [locale, dateStyle] =
    languageTag(language) === 'en' ? (['en-GB', 'long'] as const) : (['nb-NO', 'short'] as const);
  return new Intl.DateTimeFormat(locale, { dateStyle }).format(new Date(`${day}T12:00:00`));
}
