import type { QualityItem } from '@proveklar/contract/question-quality.ts';
import { Button, Tag } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { formatCount, formatShortDate } from '#lib/format-compact.ts';
import { formatPercent } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import { useFigureText } from '../use-figure-text.ts';
import styles from './quality-screen.module.css';

type QueueItemProps = { item: QualityItem; onCorrect: () => void; onDismiss: () => void };

/** A question that looks wrong: why, the figures behind it, and what may be done. */
export function QueueItem({ item, onCorrect, onDismiss }: QueueItemProps) {
  const { t, i18n } = useTranslation('admin');
  const figureText = useFigureText();
  const { id, question, answer, language, topic, preferred_distractor: wrong } = item;
  const number = (count: number) => formatCount(count, i18n.language);
  const own = { id };
  const facts = [
    { label: t('quality.answers'), value: number(item.answers) },
    { label: t('quality.facility'), value: figureText.facility(item.facility) },
    {
      label: t('quality.discrimination_name'),
      value: figureText.discrimination(item.discrimination),
    },
    { label: t('quality.open_reports'), value: number(item.open_reports) },
    ...(item.checked_at
      ? [{ label: t('quality.checked'), value: formatShortDate(item.checked_at, i18n.language) }]
      : []),
  ];
  return (
    <li className={styles.item}>
      <p className={styles.reasons}>
        {item.reasons.map((reason) => (
          <Tag
            key={reason}
            data-size="sm"
            data-color={reason === 'source_outdated' ? 'neutral' : 'warning'}
          >
            {t(`quality.reason.${reason}`)}
          </Tag>
        ))}
        <span className="clamped muted">{topic}</span>
      </p>
      <h3 {...textIn(language)}>
        <Link to="/admin/dashboard/questions/$id" params={{ id: String(id) }} className="ds-link">
          {question}
        </Link>
      </h3>
      <p>
        {t('quality.key_is')} <strong {...textIn(language)}>{answer}</strong>
        {item.key_share !== null && ` (${formatPercent(item.key_share)})`}
        {wrong && (
          <>
            {' · '}
            {t('quality.wrong_is')} <strong {...textIn(language)}>{wrong.option}</strong> (
            {formatPercent(wrong.share)})
          </>
        )}
      </p>
      {item.too_few && item.answers > 0 && <p className="muted">{t('quality.too_few_short')}</p>}
      <dl className={styles.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        <ButtonLink
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          variant="secondary"
          data-size="sm"
          aria-label={t('quality.which.edit', own)}
        >
          {t('quality.edit')}
        </ButtonLink>
        <Button
          variant="secondary"
          data-size="sm"
          aria-label={t('quality.which.correct', own)}
          onClick={onCorrect}
        >
          {t('quality.correct.button')}
        </Button>
        <Button
          variant="tertiary"
          data-size="sm"
          aria-label={t('quality.which.dismiss', own)}
          onClick={onDismiss}
        >
          {t('quality.dismiss.button')}
        </Button>
      </div>
    </li>
  );
}
