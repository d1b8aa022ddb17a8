import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import { CheckmarkIcon } from '@navikt/aksel-icons';
import type { AnswerRequest, AnswerResponse, SampleResponse } from '@proveklar/contract/quiz.ts';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { Stack } from '#components/layout.tsx';
import { MessagePage, Page, SessionLink } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useStatusText } from '#lib/error-text.ts';
import { formatKroner } from '#lib/format.ts';
import { useSession } from '#lib/session.ts';
import { useHeadingFocus, useLeadTo } from '#lib/use-focus.ts';
import { answerSample, sampleQuery } from './api.ts';
import {
  answeredQuestion,
  beginSample,
  type KeptSample,
  readSample,
  renewSample,
  SAMPLE_OWNER,
  sampleSession,
  withAnswer,
  writeSample,
} from './kept-sample.ts';
import { outcomeOf } from './outcome.ts';
import card from './result.module.css';
import { ReviewedAnswer } from './reviewed-answer.tsx';
import { QuizRun } from './run/run.tsx';
import type { RunnableQuiz } from './run/use-quiz-run.ts';
import styles from './sample.module.css';
import { ResultVerdict } from './verdict.tsx';

/** Ten questions without an account, and their result, on one page. */
export function SamplePage() {
  const [go, setGo] = useState(() => ({ number: 1, kept: readSample() }));
  // What was begun stays as it is, whatever language is chosen meanwhile.
  const sample = useQuery({ ...sampleQuery(currentLanguage()), enabled: go.kept === null });
  const questions = sample.data?.questions ?? [];
  if (go.kept === null && questions.length === 0) return <SampleLoading sample={sample} />;
  return (
    <SampleGo
      key={go.number}
      begun={go.kept ?? beginSample(questions)}
      onAgain={() => setGo(({ number }) => ({ number: number + 1, kept: null }))}
    />
  );
}

/** Until there are questions: on their way, not to be had, or none in the bank. */
function SampleLoading({ sample }: { sample: UseQueryResult<SampleResponse> }) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const { data, error, isFetching, refetch } = sample;
  if (data?.questions.length === 0) {
    return (
      <MessagePage title={t('sample.empty_title')} text={t('sample.empty_text')}>
        <ButtonLink to="/">{t('translation:actions.to_front_page')}</ButtonLink>
      </MessagePage>
    );
  }
  return (
    <Page title={t('sample.title')} width="text">
      {error ? (
        <Stack gap={6}>
          <h1>{t('sample.title')}</h1>
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('quiz.failed.questions', { status: statusText(error) })}
          </RetryAlert>
        </Stack>
      ) : (
        <SkeletonLines label={t('translation:app.loading')} lines={5} />
      )}
    </Page>
  );
}

type SampleGoProps = {
  /** New, or what this tab kept of it. */
  begun: KeptSample;
  onAgain: () => void;
};

/** One go at the sample: the questions, then the result. */
function SampleGo({ begun, onAgain }: SampleGoProps) {
  const [kept, setKept] = useState(begun);
  const [changed, setChanged] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => writeSample(kept), [kept]);
  useHeadingFocus(changed ? 'changed' : kept.ended ? 'result' : 'run');

  if (changed) {
    const language = kept.questions[0]?.language === 'en' ? 'en' : 'no';
    return (
      <SampleChanged
        read={() => queryClient.fetchQuery({ ...sampleQuery(language), staleTime: 0 })}
        onRead={({ questions }) => {
          if (questions.length === 0) return onAgain();
          setKept(renewSample(kept, questions));
          setChanged(false);
          return undefined;
        }}
      />
    );
  }
  if (kept.ended) return <SampleResult kept={kept} onAgain={onAgain} />;
  return (
    <SampleRun
      key={kept.id}
      kept={kept}
      onAnswer={(given, result) => setKept((before) => withAnswer(before, given, result))}
      onEnd={() => {
        setKept((before) => ({ ...before, ended: true }));
        // No navigation, which would do that: the result begins at its top.
        window.scrollTo({ top: 0 });
      }}
      onChanged={() => setChanged(true)}
    />
  );
}

type SampleChangedProps = {
  read: () => Promise<SampleResponse>;
  onRead: (sample: SampleResponse) => void;
};

/** A question was taken out of the sample while the visitor was at it. */
function SampleChanged({ read, onRead }: SampleChangedProps) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const renew = useMutation({ mutationFn: read, onSuccess: onRead });
  return (
    <MessagePage title={t('sample.changed_title')} text={t('sample.changed_text')}>
      {renew.error && (
        <RetryAlert>{t('quiz.failed.questions', { status: statusText(renew.error) })}</RetryAlert>
      )}
      <BusyButton busy={renew.isPending} onClick={() => renew.mutate()}>
        {t('quiz.continue')}
      </BusyButton>
    </MessagePage>
  );
}

function SampleRun({ kept, ...steps }: SampleSteps & { kept: KeptSample }) {
  const { t } = useTranslation('learner');
  const quiz = useSample(steps);
  return <QuizRun session={sampleSession(kept, t('sample.title'))} quiz={quiz} />;
}

type SampleSteps = {
  onAnswer: (given: AnswerRequest, result: AnswerResponse) => void;
  onEnd: () => void;
  /** The sample has another question in the place of this one, or its options are others. */
  onChanged: () => void;
};

const CHANGED = new Set(['question_not_in_quiz', 'answer_not_an_option']);

/** The free sample, kept by this page: the service judges the answers and stores nothing. */
function useSample({ onAnswer, onEnd, onChanged }: SampleSteps): RunnableQuiz {
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: () => Promise.resolve(),
    onSuccess: onEnd,
  });
  const cancel = useMutation({
    mutationFn: () => {
      writeSample(null);
      return navigate({ to: '/', replace: true });
    },
  });
  return {
    owner: SAMPLE_OWNER,
    // The first impression: no visitor is hurried past the first explanation.
    autoAdvance: { storedAs: 'proveklar.sample-auto-advance', byDefault: 'off' },
    async answer(given) {
      try {
        const result = await answerSample(given);
        onAnswer(given, result);
        return result;
      } catch (error) {
        if (error instanceof ApiError && CHANGED.has(error.code)) onChanged();
        throw error;
      }
    },
    end,
    cancel,
    showOutcome: () => Promise.resolve(onEnd()),
    staysOpen: false,
    takesReports: false,
  };
}

type SampleResultProps = { kept: KeptSample; onAgain: () => void };

/** The result of the free sample: like that of a quiz, and how to go on from here. */
function SampleResult({ kept, onAgain }: SampleResultProps) {
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

const items = ['practice', 'topics', 'history'] as const;

/** What an account gives beyond the sample, and what it costs. */
function SamplePitch() {
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const { status } = useSession();
  const { data: config } = useQuery(configQuery);
  // A visitor who came from a page of a signed-in learner is known; this page asks for no sign-in.
  if (status === 'signed-in') {
    return <ButtonLink to="/quiz">{t('result.again')}</ButtonLink>;
  }
  const isFree = config?.price === 0;
  return (
    <section className={styles.pitch} aria-labelledby="pitch-title">
      <h2 id="pitch-title">{t('sample.pitch_title')}</h2>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item}>
            <CheckmarkIcon aria-hidden />
            {t(`sample.pitch_${item}`)}
          </li>
        ))}
        {config && !isFree && (
          <li>
            <CheckmarkIcon aria-hidden />
            {t('translation:landing.pricing_item_no_subscription')}
          </li>
        )}
      </ul>
      {isFree && <p>{t('sample.pitch_free')}</p>}
      {config && !isFree && (
        <p>
          <strong className={styles.amount}>{formatKroner(config.price, i18n.language)}</strong>{' '}
          {t('translation:landing.pricing_duration', { count: config.service_days })}
          {config.price_includes_vat && ` ${t('translation:landing.pricing_vat')}`}
        </p>
      )}
      <ButtonLink to="/quiz" search={{ mode: 'register' }} data-color="accent" data-size="lg">
        {t('translation:auth.create_account')}
      </ButtonLink>
    </section>
  );
}
