import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '#components/page.tsx';
import { SessionLink } from '#components/session-link.tsx';
import { useLeadTo } from '#lib/use-lead-to.ts';
import { outcomeOf } from '../../outcome.ts';
import type { KeptSample } from '../../run/kept-sample.ts';
import { answeredQuestion, sampleSession } from '../../run/sample-session.ts';
import card from '../result/quiz-result.module.css';
import { ResultVerdict } from '../result/result-verdict.tsx';
import { ReviewedAnswer } from '../result/reviewed-answer.tsx';
import { SamplePitch } from './sample-pitch.tsx';
import styles from './sample.module.css';

type SampleResultProps = { kept: KeptSample; onAgain: () => void };

/** The result of the free sample: like that of a quiz, and how to go on from here. */
export function SampleResult({ kept, onAgain }: SampleResultProps) {
  const { t } = useTranslation('learner');
  const [shown, setShown] = useState(false);
  const title = useLeadTo<HTMLHeadingElement>(shown);
  const session = sampleSession(kept, t('sample.title'));
  const { wrong, allRight } = outcomeOf(session);
  return (
    <Page title={t('result.title')} width="text" headerActions={<SessionLink />}>
      <div className={styles.result}>
        <section className={card.card}>
          <p className={card.topic}>{session.topic}</p>
          <ResultVerdict session={session} />
          {allRight && <p className="muted">{t('result.all_right')}</p>}
          <div className={card.actions}>
            {wrong.length > 0 && (
              <Button
                variant="secondary"
                aria-expanded={shown}
                aria-controls="reviewed-answers"
                onClick={() => setShown(!shown)}
              >
                {shown ? t('result.hide_answers') : t('result.show_wrong', { count: wrong.length })}
              </Button>
            )}
            <Button variant="tertiary" onClick={onAgain}>
              {t('sample.again')}
            </Button>
          </div>
        </section>
        <section
          id="reviewed-answers"
          hidden={!shown}
          className={styles.reviewed}
          aria-labelledby="wrong-title"
        >
          <h2 id="wrong-title" ref={title} tabIndex={-1}>
            {t('result.wrong_title')}
          </h2>
          <ol className={styles.list}>
            {wrong.map((question) => {
              const given = kept.answers[question.uuid];
              return (
                <ReviewedAnswer
                  key={question.uuid}
                  id={question.id}
                  question={given && answeredQuestion(question, given)}
                  given={given?.answer}
                  right={false}
                />
              );
            })}
          </ol>
        </section>
        <SamplePitch />
        <p className={styles.note}>{t('sample.not_kept')}</p>
      </div>
    </Page>
  );
}
