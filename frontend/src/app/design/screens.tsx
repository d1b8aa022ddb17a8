import '#theme/components.css';
import { Button, Textfield } from '@digdir/designsystemet-react';
import type { AccountResponse } from '@proveklar/contract/account.ts';
import type {
  ConfirmRegistrationResponse,
  PaymentStatusResponse,
} from '@proveklar/contract/payment.ts';
import type { AnswerResponse, ProgressResponse } from '@proveklar/contract/quiz.ts';
import { indexWords } from '@proveklar/contract/hard-words.ts';
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Form } from '#components/form.tsx';
import { MessagePage } from '#components/page.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { accountQuery } from '#features/account/api.ts';
import { BillingScreen } from '#features/account/billing.tsx';
import { landingQuery } from '#features/landing/landing-facts.ts';
import { TryQuestion } from '#features/landing/try-question.tsx';
import { paymentStatusQuery } from '#features/payment-return/api.ts';
import { PaymentReturnPage } from '#features/payment-return/payment-return.tsx';
import {
  examsQuery,
  type HistoryItem,
  historyQuery,
  type OpenQuiz,
  openQuizzesQuery,
  progressQuery,
  topicsQuery,
} from '#features/quiz/api.ts';
import { ExitDialog } from '#features/quiz/exit-quiz.tsx';
import { TestHistory } from '#features/quiz/history.tsx';
import { type Learning, learningKeys } from '#features/quiz/learning/api.ts';
import { NewQuiz } from '#features/quiz/new-quiz.tsx';
import { ProgressPage } from '#features/quiz/progress.tsx';
import { ReviewedAnswer } from '#features/quiz/reviewed-answer.tsx';
import { ReportDialog } from '#features/quiz/report.tsx';
import { QuizRun } from '#features/quiz/run/run.tsx';
import { NOTHING_TO_PAY } from '#features/registration/api.ts';
import { RegistrationOutcome } from '#features/registration/registration-outcome.tsx';
import { configQuery } from '#lib/config.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import styles from './design.module.css';
import {
  ACCOUNT,
  CONFIG,
  ENDED,
  EXAMS,
  GLOSSARY,
  HISTORY,
  LEARNERS,
  OPEN,
  PICTURED,
  PROGRESS,
  REGISTERED,
  RESULT,
  RETURNED_PAYMENTS,
  SESSION,
  TEST,
  TOPICS,
} from './fixed-data.ts';

// What fills the screen, each in a frame of its own.

interface Known {
  learning?: Learning | Error | undefined;
  account?: AccountResponse;
  /** The lists of the home; without them, it is loading. */
  lists?: { history: HistoryItem[]; progress: ProgressResponse; open: OpenQuiz[] };
}

/** Queries that are never sent: what is not given is loading. */
export function clientWith({ learning, account, lists }: Known = {}): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(configQuery.queryKey, CONFIG);
  client.setQueryData(['glossary'], indexWords(GLOSSARY));
  client.setQueryData(examsQuery.queryKey, { exams: EXAMS });
  if (account) client.setQueryData(accountQuery.queryKey, account);
  if (lists) {
    const { history, progress, open } = lists;
    client.setQueryData(openQuizzesQuery.queryKey, { quizzes: open });
    client.setQueryData(progressQuery.queryKey, progress);
    client.setQueryData(historyQuery.queryKey, {
      pages: [{ history, next_before: null }],
      pageParams: [''],
    });
  }
  for (const language of ['no', 'en']) {
    client.setQueryData(topicsQuery(language).queryKey, {
      topics: TOPICS,
      coverage: null,
      language: 'no',
    });
    const queryKey = learningKeys.in(language);
    if (learning instanceof Error) {
      const query = client.getQueryCache().build(client, { queryKey });
      query.setState({ status: 'error', error: learning });
    } else if (learning) client.setQueryData(queryKey, learning);
  }
  return client;
}

/** A part of a screen with what is known there. */
export function With({ children, ...known }: Known & { children: ReactNode }) {
  const [client] = useState(() => clientWith(known));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const nothing = () => {};

type RunStateProps = {
  session?: typeof SESSION;
  /** The option that is pressed, by its place, or the selector of a button. */
  press?: number | string;
  /** The service's answer; by default none comes. */
  answer?: () => Promise<typeof RESULT & { score: number; correct: boolean }>;
  /** Whether the learner has chosen about auto-advance. */
  isChosen?: boolean;
  /** Whether the quiz advances automatically. */
  advances?: boolean;
};

const noAnswer = () => Promise.withResolvers<never>().promise;

/** The last button below a question. */
const NEXT = 'main > :last-child > :last-child > button:last-child';

const checked = (correct: boolean) => () => Promise.resolve({ ...RESULT, score: 0, correct });

/** Presses an option, by its place, or the button of a selector. */
function usePress(press: number | string | undefined) {
  useEffect(() => {
    if (press === undefined) return undefined;
    // In a frame of its own: React's strict mode closes what sends the answers once, and opens it again.
    const frame = requestAnimationFrame(() => {
      const [selector, place] =
        typeof press === 'number' ? ['[data-look=open]', press] : [press, 0];
      document.querySelectorAll<HTMLElement>(selector)[place]?.click();
    });
    return () => cancelAnimationFrame(frame);
  }, [press]);
}

/** A running quiz, in which an option or a button was pressed. */
function RunState(props: RunStateProps) {
  const { session = SESSION, press, answer = noAnswer, isChosen = true, advances = false } = props;
  const [own] = useState(() => ({ ...session, id: randomUuid() }));
  const step = useMutation({ mutationFn: () => Promise.resolve() });
  usePress(press);
  return (
    <QuizRun
      session={own}
      quiz={{
        // Of this frame, so that no other one sees its answers.
        owner: own.id,
        autoAdvance: { on: advances || !isChosen, isChosen, choose: nothing },
        answer,
        mark: () => Promise.resolve(),
        end: step,
        cancel: step,
        showOutcome: () => Promise.resolve(),
        isStored: true,
        takesReports: true,
      }}
    />
  );
}

/** A voice for the language, whatever this browser has, or none. */
function WithVoice({ language, children }: { language?: string; children: ReactNode }) {
  useState(() => {
    const voices = language === undefined ? [] : [{ lang: language, localService: true }];
    Object.defineProperty(window.speechSynthesis, 'getVoices', {
      configurable: true,
      value: () => voices,
    });
  });
  return children;
}

type TriedProps = Pick<RunStateProps, 'press'> & {
  /** The service's answer; by default none comes. */
  answer?: () => Promise<AnswerResponse>;
};

/** The landing page's question, of which an option was pressed. */
function Tried({ press, answer = noAnswer }: TriedProps) {
  const [client] = useState(() => {
    // The card sends its answer itself. Only this frame has no network.
    window.fetch = async () => Response.json(await answer());
    const own = clientWith();
    for (const language of ['no', 'en'] as const) {
      const facts = { question: SESSION.questions[0]!, exams: EXAMS, questions: 0 };
      own.setQueryData(landingQuery(language).queryKey, facts);
    }
    return own;
  });
  usePress(press);
  return (
    <div className={styles.alone}>
      <QueryClientProvider client={client}>
        <TryQuestion />
      </QueryClientProvider>
    </div>
  );
}

/** The end of a registration: the dialog above the form. */
function Registered({ result, isPaid }: { result: ConfirmRegistrationResponse; isPaid: boolean }) {
  const [client] = useState(() => {
    const own = clientWith();
    own.setQueryData(['registration', null, undefined, 0], result);
    return own;
  });
  const amount = { amount: 149_00, service_days: 30, client_secret: 'design' };
  const pending = {
    person: { username: 'Demo', email: 'demo@example.no', password: '' },
    intent: isPaid ? { ...NOTHING_TO_PAY, ...amount } : NOTHING_TO_PAY,
  };
  return (
    <QueryClientProvider client={client}>
      <RegistrationOutcome pending={pending} onOtherCard={nothing} onStartAgain={nothing} />
    </QueryClientProvider>
  );
}

const PRACTISED = {
  learning: LEARNERS['something to repeat, a streak'],
  lists: { history: HISTORY, progress: PROGRESS, open: [] },
};
const NEW = {
  learning: LEARNERS['a new learner'],
  lists: {
    history: [],
    progress: { ...PROGRESS, topics: [], mistakes: 0, weakest: null },
    open: [],
  },
};

function Home({ access, ...known }: Known & { access?: ReactNode }) {
  return (
    <div className={styles.alone}>
      <With {...known}>
        <NewQuiz access={access} />
      </With>
    </div>
  );
}

const RETURNED = { id: 'pi_design', clientSecret: 'pi_design_secret_design' };

/** A payment that came back from the page of a bank or wallet. */
function PaymentReturned({ found }: { found?: PaymentStatusResponse }) {
  const [client] = useState(() => {
    const own = clientWith();
    own.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } });
    own.setQueryData(paymentStatusQuery(RETURNED).queryKey, found);
    return own;
  });
  return (
    <QueryClientProvider client={client}>
      <PaymentReturnPage payment={found && RETURNED} renderRegistration={() => null} />
    </QueryClientProvider>
  );
}

/** By the name in the address. */
export const screens: Record<string, () => ReactNode> = {
  'try a question': () => <Tried />,
  'try a question, pending': () => <Tried press={0} />,
  'try a question, wrong': () => <Tried press={0} answer={checked(false)} />,
  'try a question, right': () => <Tried press={1} answer={checked(true)} />,
  'try a question, failed': () => (
    <Tried press={0} answer={() => Promise.reject(new TypeError('Failed to fetch'))} />
  ),
  ...Object.fromEntries(
    Object.entries(REGISTERED).map(([name, props]) => [
      `registered, ${name}`,
      () => <Registered {...props} />,
    ]),
  ),
  'home of a new learner': () => <Home {...NEW} />,
  'home, a quiz is open': () => (
    <Home {...PRACTISED} lists={{ ...PRACTISED.lists, open: OPEN.today }} />
  ),
  'home, an earlier set': () => (
    <Home {...PRACTISED} lists={{ ...PRACTISED.lists, open: OPEN.earlier }} />
  ),
  'home without access': () => <Home {...PRACTISED} access={<Button>Forleng</Button>} />,
  'home, loading': () => <Home />,
  history: () => (
    <div className={styles.alone}>
      <With {...PRACTISED}>
        <TestHistory />
      </With>
    </div>
  ),
  'history, empty': () => (
    <div className={styles.alone}>
      <With {...NEW}>
        <TestHistory />
      </With>
    </div>
  ),
  progress: () => (
    <With {...PRACTISED}>
      <ProgressPage access={null} />
    </With>
  ),
  'progress, empty': () => (
    <With {...NEW}>
      <ProgressPage access={null} />
    </With>
  ),
  'extend access': () => (
    <div className={styles.alone}>
      <With account={ACCOUNT['the last week']}>
        <BillingScreen processing={null} onHold={false} renderNotices={() => null} />
      </With>
    </div>
  ),
  'a voice': () => (
    <WithVoice language="nb-NO">
      <RunState />
    </WithVoice>
  ),
  'no voice': () => (
    <WithVoice>
      <RunState />
    </WithVoice>
  ),
  'options open': () => <RunState />,
  'answer pending': () => <RunState press={0} />,
  'sheet wrong': () => <RunState press={0} answer={checked(false)} />,
  'sheet wrong, asks': () => <RunState press={0} answer={checked(false)} isChosen={false} />,
  'sheet right': () => <RunState press={1} answer={checked(true)} />,
  'answer waits offline': () => (
    <RunState press={0} answer={() => Promise.reject(new TypeError('Failed to fetch'))} />
  ),
  'after an automatic advance': () => <RunState press={1} answer={checked(true)} advances />,
  'practice test': () => <RunState session={TEST} press={0} />,
  'hand-in dialog': () => (
    <RunState session={{ ...TEST, questions: TEST.questions.slice(0, 1) }} press={NEXT} />
  ),
  'time-up dialog': () => (
    <RunState session={{ ...TEST, exam: { ...TEST.exam!, seconds_left: 0 } }} />
  ),
  'a word explained': () => <RunState press="h1 button" />,
  'question with a picture': () => <RunState session={PICTURED} press={0} />,
  'reviewed answers': () => (
    <div className={styles.alone}>
      <ol>
        {[ENDED.answer, ENDED.incorrect[0]!, ''].map((given, id) => (
          <ReviewedAnswer
            key={given}
            id={id}
            question={ENDED}
            given={given}
            right={given === ENDED.answer}
            onReport={nothing}
          />
        ))}
      </ol>
    </div>
  ),
  'exit dialog': () => (
    <ExitDialog
      open
      isTest
      answered={3}
      total={10}
      later={{ clock: true }}
      busy={false}
      onExit={nothing}
      onClose={nothing}
    />
  ),
  'report dialog': () => <ReportDialog question={SESSION.questions[0]} onClose={nothing} />,
  ...Object.fromEntries(
    Object.entries(RETURNED_PAYMENTS).map(([name, found]) => [
      `payment ${name}`,
      () => <PaymentReturned found={found} />,
    ]),
  ),
  'payment unknown': () => <PaymentReturned />,
  message: () => (
    <MessagePage title="Quizen er avsluttet" text="Denne quizen ble avsluttet før den var ferdig.">
      <Button>Ta en ny quiz</Button>
    </MessagePage>
  ),
  'form with faults': () => (
    <div className={styles.alone}>
      <Form submit="Logg inn" busy={false} error="Feil e-post eller passord." onSubmit={nothing}>
        <Textfield label="E-post" error="Skriv e-postadressen din" defaultValue="ola@" />
        <PasswordField autoComplete="current-password" error="Skriv passordet ditt" />
      </Form>
    </div>
  ),
};
