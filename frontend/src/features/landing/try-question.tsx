import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { languageTag } from '@proveklar/contract/language.ts';
import { TRIED_OPTIONS } from '@proveklar/contract/page.ts';
import type { AnswerRequest, AnswerResponse } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { LanguageSwitch } from '#components/page.tsx';
import { SourceLink } from '#components/source-link.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { api } from '#lib/api-client.ts';
import { slot } from '#lib/config.ts';
import { questionTag } from '#lib/question-language.ts';
import { writeTried } from '#lib/tried-question.ts';
import { landingQuery } from './landing-facts.ts';
import page from './landing.module.css';
import styles from './try-question.module.css';

const PLACES = Array.from({ length: TRIED_OPTIONS }, (_, place) => place as 0 | 1 | 2 | 3);

type Answered = { uuid: string; given: string; result?: AnswerResponse; failed?: true };

/** A question of the free sample, to answer on the page. Without one, the style sheet hides the card. */
export function TryQuestion() {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const question = useQuery(landingQuery(currentLanguage())).data?.question;
  const [last, setLast] = useState<Answered>();
  // In another language it is another question.
  const answered = last?.uuid === question?.uuid ? last : undefined;
  const result = answered?.result;
  const key = result?.correct_answer;
  const language = slot('question_language', questionTag(question?.language ?? 'no'));

  async function answer(given: string) {
    if (!question || (answered && !answered.failed)) return;
    // The options that were not chosen fold: without it, the page below would move.
    if (card.current) card.current.style.minHeight = `${card.current.offsetHeight}px`;
    const { uuid } = question;
    setLast({ uuid, given });
    const body: AnswerRequest = { question_id: uuid, answer: given };
    try {
      const checked = await api<AnswerResponse>('/sample/answer', { method: 'POST', body });
      setLast({ uuid, given, result: checked });
      writeTried({ question, given, result: checked });
    } catch {
      setLast({ uuid, given, failed: true });
    }
  }

  function look(option: string) {
    const chosen = answered?.given === option;
    if (key === undefined) return chosen && !answered?.failed ? 'chosen' : 'open';
    if (option === key) return chosen ? 'right' : 'key';
    return chosen ? 'wrong' : 'other';
  }

  return (
    <section ref={card} className={`${styles.try} ${page.offer}`} aria-labelledby="try-question">
      <div className={styles.tryTop}>
        <p className={page.eyebrow}>{t('landing.try_title')}</p>
        <LanguageSwitch named />
      </div>
      <h2 id="try-question" className={styles.question} lang={language}>
        {slot('question', question?.question ?? '')}
      </h2>
      {/* Before its code is loaded, an option leads to the free questions. */}
      <form action="/smakebit" lang={language}>
        <ul className={styles.options}>
          {PLACES.map((place) => {
            const option = question?.options[place] ?? '';
            return (
              <li key={place}>
                <button
                  type="submit"
                  className={styles.option}
                  data-look={look(option)}
                  aria-disabled={answered && !answered.failed ? true : undefined}
                  onClick={(event) => {
                    event.preventDefault();
                    void answer(option);
                  }}
                >
                  <span className={styles.letter}>{'ABCD'[place]}</span>
                  <span className={styles.optionText}>{slot(`option_${place}`, option)}</span>
                  <Verdict look={look(option)} />
                </button>
                {look(option) === 'wrong' && <Reason result={result} option={option} />}
              </li>
            );
          })}
        </ul>
      </form>
      <div role="status" className={styles.why}>
        {result && (
          <>
            <strong className="ds-sr-only">
              {t(result.correct ? 'landing.try_right' : 'landing.try_wrong')}.{' '}
              {!result.correct && `${t('landing.try_key')}: ${key}.`}
            </strong>
            {result.explanation && (
              <div className={styles.explained}>
                <p lang={language}>{result.explanation}</p>
                <SourceLink source={result} />
              </div>
            )}
          </>
        )}
        {answered?.failed && <p>{t('landing.try_failed')}</p>}
      </div>
      <div className={styles.next}>
        {result && (
          <ButtonLink to="/smakebit" data-color="accent">
            {t('landing.try_next')}
          </ButtonLink>
        )}
        <p className="muted">{t('landing.try_note')}</p>
      </div>
    </section>
  );
}

/** Why an option is wrong. */
function Reason({ result, option }: { result: AnswerResponse | undefined; option: string }) {
  const found = result?.reasons?.find((known) => known.option === option);
  return found && <p className={styles.reason}>{found.reason}</p>;
}

const verdicts = {
  right: { text: 'landing.try_right', Icon: CheckmarkCircleFillIcon },
  key: { text: 'landing.try_key', Icon: CheckmarkCircleFillIcon },
  wrong: { text: 'landing.try_wrong', Icon: XMarkOctagonFillIcon },
} as const;

function Verdict({ look }: { look: string }) {
  const { t, i18n } = useTranslation();
  if (!Object.hasOwn(verdicts, look)) return null;
  const { text, Icon } = verdicts[look as keyof typeof verdicts];
  return (
    <span className={styles.verdict} lang={languageTag(i18n.language)}>
      <Icon aria-hidden />
      {t(text)}
    </span>
  );
}
