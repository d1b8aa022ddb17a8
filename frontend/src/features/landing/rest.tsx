import {
  BookIcon,
  CheckmarkCircleIcon,
  CheckmarkIcon,
  LineGraphStackedIcon,
} from '@navikt/aksel-icons';
import {
  formatDate,
  formatKroner,
  formatQuestionCount,
  hostOf,
} from '@proveklar/contract/formats.ts';
import type { ExamFacts } from '@proveklar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink, Link } from '#components/link.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { configQuery, slot } from '#lib/config.ts';
import { landingQuery } from './landing-facts.ts';
import page from './landing.module.css';
import pricing from './pricing.module.css';
import styles from './rest.module.css';
import englishDark from './practise-en-dark.webp';
import englishLight from './practise-en-light.webp';
import norwegianDark from './practise-no-dark.webp';
import norwegianLight from './practise-no-light.webp';

/**
 * The page below the question. Its HTML is used before this code is loaded: only links and `details`, and
 * styles of the landing page's own file, which is loaded with the page.
 */
export function RestOfLanding({ onHydrated }: { onHydrated: () => void }) {
  useEffect(onHydrated, [onHydrated]);
  return (
    <>
      <Exams />
      <Features />
      <Pricing />
      <Questions />
    </>
  );
}

function Exams() {
  const { t } = useTranslation('landing');
  const { data } = useQuery(landingQuery(currentLanguage()));
  return (
    <section className={styles.section} aria-labelledby="exams-title">
      <div className={styles.lead}>
        <h2 id="exams-title">{t('exams.title')}</h2>
        <p>{t('exams.lead')}</p>
      </div>
      <ul className={styles.exams}>
        {(data?.exams ?? []).map((exam) => (
          <ExamCard key={exam.name} exam={exam} />
        ))}
      </ul>
      <div className={styles.notes}>
        <p>
          {t('exams.published')} <Elsewhere url="https://hkdir.no" />.
        </p>
        <p>
          {t('exams.unsure')} <Elsewhere url="https://www.udi.no" />.
        </p>
      </div>
    </section>
  );
}

const figures = ['questions_shown', 'questions_counted', 'pass_mark', 'minutes'] as const;

function ExamCard({ exam }: { exam: ExamFacts }) {
  const { t, i18n } = useTranslation('landing');
  const { name, source_url: url } = exam;
  const checked = slot(
    `${name}_checked_at`,
    formatDate(`${exam.checked_at}T12:00:00Z`, i18n.language),
  );
  return (
    <li className={styles.card}>
      <h3>{t(`exams.${name}`)}</h3>
      <p>{t(`exams.${name}_who`)}</p>
      <dl className={styles.figures}>
        {figures.map((figure) => (
          <div key={figure}>
            <dt>{t(`exams.${figure}`)}</dt>
            <dd>{slot(`${name}_${figure}`, String(exam[figure]))}</dd>
          </div>
        ))}
      </dl>
      {name === 'samfunnskunnskap' && <p>{t('exams.pictures')}</p>}
      {/* The server's tables of date formats may be of another year than the browser's. */}
      <p className={styles.source} suppressHydrationWarning>
        {t('exams.source')}:{' '}
        <a className="ds-link" href={slot(`${name}_source_url`, url)}>
          {slot(`${name}_source_host`, import.meta.env.SSR ? '' : hostOf(url))}
        </a>
        {', '}
        {t('exams.checked', { date: checked })}
      </p>
    </li>
  );
}

const Elsewhere = ({ url }: { url: string }) => (
  <a className="ds-link" href={url}>
    {hostOf(url)}
  </a>
);

const features = [
  { key: 'content', Icon: BookIcon },
  { key: 'results', Icon: CheckmarkCircleIcon },
  { key: 'progress', Icon: LineGraphStackedIcon },
] as const;

const pictures = {
  no: { light: norwegianLight, dark: norwegianDark },
  en: { light: englishLight, dark: englishDark },
};

function Features() {
  const { t } = useTranslation('landing');
  const alt = t('features.picture_alt');
  const picture = { width: 720, height: 1280, loading: 'lazy' } as const;
  const { light, dark } = pictures[currentLanguage()];
  return (
    <section className={styles.product} aria-labelledby="features-title">
      <div className={styles.section}>
        <h2 id="features-title">{t('features.title')}</h2>
        <ul className={styles.features}>
          {features.map(({ key, Icon }) => (
            <li key={key}>
              <span className={styles.icon}>
                <Icon aria-hidden />
              </span>
              <h3>{t(`features.${key}_title`)}</h3>
              <p>{t(`features.${key}_text`)}</p>
            </li>
          ))}
        </ul>
      </div>
      {/* Two pictures of a language, because the colours may be chosen here; the hidden one is not loaded. */}
      <div className={styles.phone}>
        <img {...picture} alt={alt} src={light} className={styles.light} />
        <img {...picture} alt={alt} src={dark} className={styles.dark} />
      </div>
    </section>
  );
}

const items = ['practice', 'topics', 'feedback'] as const;

/** The whole card is one link to /quiz. Its accessible name is only the action, so that it is short. */
function Pricing() {
  const { t } = useTranslation(['landing', 'translation']);
  const { data: config } = useQuery(configQuery);
  const free = config?.price === 0;
  return (
    <section
      id="pris"
      className={`${pricing.pricing} ${page.offer}`}
      aria-labelledby="pricing-title"
    >
      <div className={pricing.pricingIntro}>
        <h2 id="pricing-title">{t(free ? 'pricing.title_free' : 'pricing.title')}</h2>
        <p>{t(free ? 'pricing.lead_free' : 'pricing.lead')}</p>
        <ButtonLink to="/smakebit" variant="secondary" className={pricing.sample}>
          {t('translation:landing.try_sample')}
        </ButtonLink>
      </div>
      <div className={pricing.pricingCard}>
        <h3>{t('pricing.card_name')}</h3>
        <Price />
        <ul className={pricing.items}>
          <QuestionCount />
          {items.map((item) => (
            <Item key={item}>{t(`pricing.item_${item}`)}</Item>
          ))}
          <Item>{t('translation:landing.pricing_item_no_subscription')}</Item>
          {!free && <Item>{t('pricing.item_withdrawal')}</Item>}
        </ul>
        <Link
          to="/quiz"
          search={{ mode: 'register' }}
          className={`ds-button ${pricing.action}`}
          data-color="accent"
          data-size="lg"
        >
          {t('pricing.action')}
        </Link>
      </div>
    </section>
  );
}

/** How many questions there are; the style sheet hides a 0. */
function QuestionCount() {
  const { t, i18n } = useTranslation('landing');
  const { data } = useQuery(landingQuery(currentLanguage()));
  // A gateway of the previous version sends no count.
  const n = slot('questions', formatQuestionCount(data?.questions ?? 0, i18n.language));
  return (
    // The server's tables of number formats may be of another year than the browser's.
    <Item data-count={n} suppressHydrationWarning>
      {t('pricing.item_questions', { n })}
    </Item>
  );
}

type ItemProps = ComponentProps<'li'> & { 'data-count'?: string };

const Item = ({ children, ...attributes }: ItemProps) => (
  <li {...attributes}>
    <CheckmarkIcon aria-hidden />
    {children}
  </li>
);

/** The current price and duration; their space is reserved while they load. */
function Price() {
  const { t, i18n } = useTranslation(['landing', 'translation']);
  const { data: config, isError } = useQuery(configQuery);
  if (isError) return <p className={pricing.price}>{t('pricing.unavailable')}</p>;
  if (!config) {
    return (
      <div className={pricing.price} role="status" aria-label={t('translation:app.loading')}>
        <span className="ds-skeleton" style={{ width: '14rem', height: '3.25rem' }} />
      </div>
    );
  }
  if (config.price === 0) {
    return (
      <div className={pricing.price}>
        <strong className={pricing.amount}>{t('translation:landing.pricing_free')}</strong>
        <span className="muted">{t('pricing.free_duration')}</span>
      </div>
    );
  }
  return (
    <div className={pricing.price}>
      {/* The server's tables of number formats may be of another year than the browser's. */}
      <strong className={pricing.amount} suppressHydrationWarning>
        {slot('price', formatKroner(config.price, i18n.language))}
      </strong>
      <span className="muted">
        {t('translation:landing.pricing_duration', daysOf(config.service_days))}
        {config.price_includes_vat && ` · ${t('translation:landing.pricing_vat')}`}
      </span>
    </div>
  );
}

/** The days for a text with `count`; the page of the server has a slot for the number. */
const daysOf = (days: number) => ({
  count: days,
  replace: { count: slot('days', String(days)) },
});

function Questions() {
  const { t } = useTranslation('landing');
  const { data: config } = useQuery(configQuery);
  const paid = config !== undefined && config.price > 0;
  return (
    <section className={styles.section} aria-labelledby="faq-title">
      <h2 id="faq-title">{t('faq.title')}</h2>
      <div className={styles.faq}>
        <Answer question={t('faq.official_q')}>{t('faq.official_a')}</Answer>
        {paid && (
          <>
            <Answer question={t('faq.withdrawal_q')}>
              {t('faq.withdrawal_a')}{' '}
              <Link to="/angrerett" className="ds-link">
                {t('faq.withdrawal_link')}
              </Link>
            </Answer>
            <Answer question={t('faq.after_q', daysOf(config.service_days))}>
              {t('faq.after_a')}
            </Answer>
            <Answer question={t('faq.pay_q')}>{t('faq.pay_a')}</Answer>
          </>
        )}
        <Answer question={t('faq.device_q')}>{t('faq.device_a')}</Answer>
        <Answer question={t('faq.languages_q')}>{t('faq.languages_a')}</Answer>
      </div>
    </section>
  );
}

const Answer = ({ question, children }: { question: string; children: ReactNode }) => (
  <details>
    <summary>{question}</summary>
    <p>{children}</p>
  </details>
);
