import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import { CheckmarkIcon } from '@navikt/aksel-icons';
import { formatQuestionCount } from '@proveklar/contract/formats.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type {
  AnswerRequest,
  AnswerResponse,
  QuizSession,
  SampleResponse,
} from '@proveklar/contract/quiz.ts';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Stack } from '#components/layout.tsx';
import { LanguageSwitch, MessagePage, Page, SessionLink } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { chooseLanguage } from '#i18n/choose-language.ts';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useStatusAdvice } from '#lib/error-text.ts';
import { formatKroner } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import { useSession } from '#lib/session.ts';
import { useHeadingFocus, useLeadTo } from '#lib/use-focus.ts';
import { answerSample, examsQuery, sampleQuery, sampleTranslationQuery } from './api.ts';
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
import { outcomeOf, topicScores } from './outcome.ts';
import { QuestionTranslations, TranslationSource } from './question-translation.tsx';
import card from './result.module.css';
import { ReviewedAnswer } from './reviewed-answer.tsx';
import { useBrowserAutoAdvance } from './run/auto-advance.ts';
import { QuizRun } from './run/run.tsx';
import type { RunnableQuiz } from './run/use-quiz-run.ts';
import styles from './sample.module.css';
import { ResultVerdict } from './verdict.tsx';

/** Ten questions without an account, and their result, on one page. */
export function SamplePage() {
  const [go, setGo] = useState<Go>(() => ({ number: 1, kept: readSample() }));
  // A started sample keeps its questions when another language is chosen.
  const language = go.language ?? currentLanguage();
  const sample = useQuery({ ...sampleQuery(language), enabled: go.kept === null });
  const questions = sample.data?.questions ?? [];
  if (go.kept === null && questions.length === 0) return <SampleLoading sample={sample} />;
  return (
    <TranslationSource value={sampleTranslationQuery}>
      <SampleGo
        key={go.number}
        begun={go.kept ?? beginSample(questions)}
        onAgain={(again) =>
          setGo(({ number }) => ({ number: number + 1, kept: null, language: again }))
        }
      />
    </TranslationSource>
  );
}

type Go = {
  number: number;
  kept: KeptSample | null;
  /** The language of the questions, if the visitor has chosen one; otherwise that of the page. */
  language?: AppLanguage | undefined;
};

/** Shown without questions: while loading, after an error, or if the bank has none. */
function SampleLoading({ sample }: { sample: UseQueryResult<SampleResponse> }) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusAdvice = useStatusAdvice();
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
            {t('quiz.failed.questions', { status: statusAdvice(error) })}
          </RetryAlert>
        </Stack>
      ) : (
        <SkeletonLines label={t('translation:app.loading')} lines={5} />
      )}
    </Page>
  );
}

type SampleGoProps = {
  /** A new run, or the one stored in this tab. */
  begun: KeptSample;
  onAgain: (language?: AppLanguage) => void;
};

/** One run of the sample: the questions, then the result. */
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
        // Scrolls to the top, because there is no navigation that would do it.
        window.scrollTo({ top: 0 });
      }}
      onChanged={() => setChanged(true)}
      onLanguage={async (language) => {
        // Loaded first, so that the page changes at once. If that fails, the page says so.
        await queryClient.prefetchQuery(sampleQuery(language));
        await chooseLanguage(language);
        if (!readSample()) onAgain();
      }}
    />
  );
}

type SampleChangedProps = {
  read: () => Promise<SampleResponse>;
  onRead: (sample: SampleResponse) => void;
};

/** Shown when a question was removed from the sample meanwhile. */
function SampleChanged({ read, onRead }: SampleChangedProps) {
  const { t } = useTranslation('learner');
  const statusAdvice = useStatusAdvice();
  const renew = useMutation({ mutationFn: read, onSuccess: onRead });
  return (
    <MessagePage title={t('sample.changed_title')} text={t('sample.changed_text')}>
      {renew.error && (
        <RetryAlert>{t('quiz.failed.questions', { status: statusAdvice(renew.error) })}</RetryAlert>
      )}
      <BusyButton busy={renew.isPending} onClick={() => renew.mutate()}>
        {t('quiz.continue')}
      </BusyButton>
    </MessagePage>
  );
}

type SampleRunProps = SampleSteps & {
  kept: KeptSample;
  onLanguage: (language: AppLanguage) => Promise<void>;
};

function SampleRun({ kept, onLanguage, ...steps }: SampleRunProps) {
  const { t } = useTranslation('learner');
  const quiz = useSample(steps);
  return (
    <QuizRun
      session={sampleSession(kept, t('sample.title'))}
      quiz={quiz}
      languages={<LanguageSwitch named choose={onLanguage} />}
    />
  );
}

type SampleSteps = {
  onAnswer: (given: AnswerRequest, result: AnswerResponse) => void;
  onEnd: () => void;
  /** Called when the sample's question or its options have changed. */
  onChanged: () => void;
};

const CHANGED = new Set(['question_not_in_quiz', 'answer_not_an_option']);

/** The free sample, stored by this page: the service checks the answers and stores nothing. */
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
  // Off by default, so that no visitor is hurried past the first explanation.
  const autoAdvance = useBrowserAutoAdvance('proveklar.sample-auto-advance', 'off');
  return {
    owner: SAMPLE_OWNER,
    autoAdvance,
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
    isStored: false,
    takesReports: false,
  };
}

type SampleResultProps = Pick<SampleGoProps, 'onAgain'> & { kept: KeptSample };

/** The result of the free sample, like that of a quiz, and how to continue. */
function SampleResult({ kept, onAgain }: SampleResultProps) {
  const { t } = useTranslation('learner');
  const [shown, setShown] = useState(false);
  const title = useLeadTo<HTMLHeadingElement>(shown);
  const session = sampleSession(kept, t('sample.result'));
  const { wrong } = outcomeOf(session);
  const other = session.language === 'en' ? 'no' : 'en';
  const hasOther = session.questions.every(({ translations }) => translations?.includes(other));
  return (
    <Page title={t('result.title')} width="text" headerActions={<SessionLink />}>
      <div className={styles.result}>
        <section className={card.card}>
          <p className={card.topic}>{session.topic}</p>
          <ResultVerdict session={session} />
          <NeededToPass total={session.total} />
          <div className={card.actions}>
            {wrong.length > 0 && (
              <Button
                variant="secondary"
                aria-expanded={shown}
                aria-controls="reviewed-answers"
                onClick={() => setShown(!shown)}
              >
                {shown ? t('result.hide_answers') : t('sample.show_wrong', { count: wrong.length })}
              </Button>
            )}
            <Button variant="tertiary" onClick={() => onAgain()}>
              {t('sample.again')}
            </Button>
            {hasOther && (
              <Button variant="tertiary" onClick={() => onAgain(other)}>
                {t(`sample.again_${other}`)}
              </Button>
            )}
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
                  translation={<QuestionTranslations quizId={kept.id} question={question} />}
                />
              );
            })}
          </ol>
        </section>
        <SampleTopics session={session} />
        <SamplePitch />
        <p className={styles.note}>{t('sample.not_kept')}</p>
      </div>
    </Page>
  );
}

/** How many right answers it takes to pass the real test, and of so few questions. */
function NeededToPass({ total }: { total: number }) {
  const { t } = useTranslation('learner');
  const { data } = useQuery(examsQuery);
  const exam = data?.exams.find(({ name }) => name === 'samfunnskunnskap');
  if (!exam) return null;
  const { pass_mark: mark, questions_counted: counted } = exam;
  const count = Math.ceil((total * mark) / counted);
  return <p>{t('sample.pass_mark', { mark, counted, total, count })}</p>;
}

function SampleTopics({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  return (
    <section className={card.topics} aria-labelledby="topics-title">
      <h2 id="topics-title">{t('practice.topics_title')}</h2>
      <dl className={styles.topics} {...textIn(session.language)}>
        {topicScores(session).map(({ topic, right, total }) => (
          <div key={topic}>
            <dt>{topic}</dt>
            <dd>{t('practice.score_of', { score: right, total })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const items = ['practice', 'topics', 'history'] as const;

/** What an account gives beyond the sample, and what it costs. */
function SamplePitch() {
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const { status } = useSession();
  const { data: config } = useQuery(configQuery);
  // Only what the page has read already: each reading counts as an opening of the sample.
  const { data: sample } = useQuery({ ...sampleQuery(currentLanguage()), enabled: false });
  // Undefined from a gateway of the previous version.
  const questions = sample?.bank_questions ?? 0;
  // This page loads no session; it is only known for a learner who came from another page.
  if (status === 'signed-in') {
    return <ButtonLink to="/quiz">{t('result.again')}</ButtonLink>;
  }
  const isFree = config?.price === 0;
  const price = config && !isFree ? formatKroner(config.price, i18n.language) : undefined;
  return (
    <section className={styles.pitch} aria-labelledby="pitch-title">
      <h2 id="pitch-title">{t('sample.pitch_title')}</h2>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item}>
            <CheckmarkIcon aria-hidden />
            {item === 'topics' && questions > 0
              ? t('sample.pitch_topics_counted', {
                  n: formatQuestionCount(questions, i18n.language),
                })
              : t(`sample.pitch_${item}`)}
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
          <strong className={styles.amount}>{price}</strong>{' '}
          {t('translation:landing.pricing_duration', { count: config.service_days })}
          {config.price_includes_vat && ` ${t('translation:landing.pricing_vat')}`}
        </p>
      )}
      <ButtonLink to="/quiz" search={{ mode: 'register' }} data-color="accent" data-size="lg">
        {price === undefined
          ? t('translation:auth.create_account')
          : t('sample.create_account', { price })}
      </ButtonLink>
    </section>
  );
}
