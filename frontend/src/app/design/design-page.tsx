import '#theme/components.css';
import { Alert, Button, Textfield } from '@digdir/designsystemet-react';
import { COLOUR_SCHEME_COOKIE, toColourScheme } from '@proveklar/contract/page.ts';
import type { PaymentStatusResponse } from '@proveklar/contract/payment.ts';
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { Form } from '#components/form.tsx';
import { MessagePage } from '#components/page.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { paymentStatusQuery } from '#features/payment-return/api.ts';
import { PaymentReturnPage } from '#features/payment-return/payment-return.tsx';
import { DisplaySection } from '#features/profile/display-section.tsx';
import { ExitDialog } from '#features/quiz/exit-quiz.tsx';
import { type Learning, learningKeys } from '#features/quiz/learning/api.ts';
import { TodayCard } from '#features/quiz/learning/today-card.tsx';
import { TopicTiles } from '#features/quiz/learning/topic-tiles.tsx';
import { MistakeSets } from '#features/quiz/mistake-sets.tsx';
import { ReportDialog } from '#features/quiz/report.tsx';
import { QuizRun } from '#features/quiz/run/run.tsx';
import { ResultVerdict } from '#features/quiz/verdict.tsx';
import { detectLanguage } from '#i18n/choose-language.ts';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { readCookie } from '#lib/cookies.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import styles from './design.module.css';
import {
  CONFIG,
  ended,
  LEARNERS,
  PROGRESS,
  RESULT,
  RETURNED_PAYMENTS,
  SESSION,
  TEST,
} from './fixed-data.ts';

/**
 * `/design`, in development only (main.tsx): the parts of the learner's screens in their states, from the real
 * components with fixed data. What fills the screen is in a frame of its own: `/design?state=<name>`.
 */
export async function showDesign(root: HTMLElement): Promise<void> {
  await startTexts(detectLanguage());
  await Promise.all([loadTexts('learner'), loadTexts('purchase')]);
  const { dataset } = document.documentElement;
  dataset.colorScheme = toColourScheme(readCookie(COLOUR_SCHEME_COOKIE));
  const state = new URLSearchParams(window.location.search).get('state');
  const component = () => (state === null ? <DesignPage /> : screens[state]?.());
  // Links lead nowhere: the parts need a router, but not the product's.
  const router = createRouter({
    routeTree: createRootRoute({ component, notFoundComponent: component }),
    history: createMemoryHistory(),
  });
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={clientWith()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** Queries that are never sent: what is not given is loading. */
function clientWith(learning?: Learning | Error): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(configQuery.queryKey, CONFIG);
  for (const language of ['no', 'en']) {
    const queryKey = learningKeys.in(language);
    if (learning instanceof Error) {
      const query = client.getQueryCache().build(client, { queryKey });
      query.setState({ status: 'error', error: learning });
    } else if (learning) client.setQueryData(queryKey, learning);
  }
  return client;
}

const nothing = () => {};

type RunStateProps = {
  session?: typeof SESSION;
  /** The option that is pressed, by its place. */
  press?: number;
  /** The service's answer; by default none comes. */
  answer?: () => Promise<typeof RESULT & { score: number; correct: boolean }>;
  /** Whether the learner has chosen about auto-advance. */
  isChosen?: boolean;
};

const noAnswer = () => Promise.withResolvers<never>().promise;

const checked = (correct: boolean) => () => Promise.resolve({ ...RESULT, score: 0, correct });

/** A running quiz, in which an option was pressed. */
function RunState({ session = SESSION, press, answer = noAnswer, isChosen = true }: RunStateProps) {
  const [own] = useState(() => ({ ...session, id: randomUuid() }));
  const step = useMutation({ mutationFn: () => Promise.resolve() });
  useEffect(() => {
    if (press === undefined) return undefined;
    // In a frame of its own: React's strict mode closes what sends the answers once, and opens it again.
    const frame = requestAnimationFrame(() =>
      document.querySelectorAll<HTMLElement>('[data-look=open]')[press]?.click(),
    );
    return () => cancelAnimationFrame(frame);
  }, [press]);
  return (
    <QuizRun
      session={own}
      quiz={{
        // Of this frame, so that no other one sees its answers.
        owner: own.id,
        autoAdvance: { on: !isChosen, isChosen, choose: nothing },
        answer,
        mark: () => Promise.resolve(),
        end: step,
        cancel: step,
        showOutcome: () => Promise.resolve(),
        staysOpen: true,
        takesReports: true,
      }}
    />
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

/** What fills the screen, by the name in the address. */
const screens: Record<string, () => ReactNode> = {
  'options open': () => <RunState />,
  'answer pending': () => <RunState press={0} />,
  'sheet wrong': () => <RunState press={0} answer={checked(false)} />,
  'sheet wrong, asks': () => <RunState press={0} answer={checked(false)} isChosen={false} />,
  'sheet right': () => <RunState press={1} answer={checked(true)} />,
  'answer waits offline': () => (
    <RunState press={0} answer={() => Promise.reject(new TypeError('Failed to fetch'))} />
  ),
  'practice test': () => <RunState session={TEST} press={0} />,
  'exit dialog': () => (
    <ExitDialog
      open
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

function DesignPage() {
  const { i18n } = useTranslation();
  useSchemeOfFrames();
  return (
    <main id="content" className={styles.page}>
      <h1>Design</h1>
      <DisplaySection />
      <Section title="Buttons">
        {(['primary', 'secondary', 'tertiary'] as const).map((variant) => (
          <State key={variant} name={variant}>
            <div className={styles.row}>
              <Button variant={variant}>Neste</Button>
              <Button variant={variant} data-color="accent">
                Prøv gratis
              </Button>
              <Button variant={variant} data-color="danger">
                Avslutt
              </Button>
              <Button variant={variant} disabled>
                Neste
              </Button>
              <BusyButton variant={variant} busy>
                Betal
              </BusyButton>
            </div>
          </State>
        ))}
      </Section>
      <Section title="Screens: options, sheet, dialogs, forms">
        {Object.keys(screens).map((name) => (
          <State key={name} name={name}>
            {/* The language is read when a frame is loaded. It is this page: there is nothing to shut in. */}
            {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
            <iframe
              key={i18n.language}
              title={name}
              className={styles.frame}
              src={`/design?state=${encodeURIComponent(name)}`}
            />
          </State>
        ))}
      </Section>
      <Section wide title="Today: readiness, streak, goal">
        {Object.entries(LEARNERS).map(([name, learning]) => (
          <Today key={name} name={name} learning={learning} />
        ))}
        <Today name="loading" />
        <Today name="failed" learning={new Error('Design')} />
      </Section>
      <Section wide title="Topic tiles">
        {(['a new learner', 'something to repeat, a streak'] as const).map((name) => (
          <State key={name} name={name}>
            <TopicTiles
              learning={LEARNERS[name]}
              starting={undefined}
              disabled={false}
              onStart={nothing}
            />
          </State>
        ))}
      </Section>
      <Section wide title="Mistakes">
        <State name="sets by topic">
          <div className={styles.row}>
            <MistakeSets
              progress={PROGRESS}
              language="no"
              label="Øv på feilene dine (30)"
              variant="secondary"
              starting={undefined}
              onStart={nothing}
            />
          </div>
        </State>
      </Section>
      <Section title="Results">
        {[ended(10), ended(24), ended(34), ended(20, false), ended(30, true)].map((session) => (
          <State
            key={`${session.score}-${session.exam?.passed}`}
            name={`${session.score} of 34${session.exam ? ', a test' : ''}`}
          >
            <div className={styles.result}>
              <ResultVerdict session={session} />
            </div>
          </State>
        ))}
      </Section>
      <Section title="Notices, errors, loading">
        {(['info', 'success', 'warning', 'danger'] as const).map((colour) => (
          <State key={colour} name={colour}>
            <Alert data-color={colour} data-size="sm">
              Svarene dine er lagret på telefonen.
            </Alert>
          </State>
        ))}
        <State name="an error with a retry">
          <RetryAlert onRetry={nothing}>Vi fikk ikke hentet spørsmålene.</RetryAlert>
        </State>
        <State name="loading">
          <SkeletonLines label="Laster …" lines={5} />
        </State>
      </Section>
    </main>
  );
}

/** The frames follow the choice between light and dark. */
function useSchemeOfFrames() {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      for (const frame of document.querySelectorAll('iframe')) {
        const { colorScheme } = document.documentElement.dataset;
        if (frame.contentDocument && colorScheme)
          frame.contentDocument.documentElement.dataset.colorScheme = colorScheme;
      }
    });
    observer.observe(document.documentElement, { attributeFilter: ['data-color-scheme'] });
    return () => observer.disconnect();
  }, []);
}

type SectionProps = {
  title: string;
  /** Its parts take the whole width on a real screen. */
  wide?: boolean;
  children: ReactNode;
};

function Section({ title, wide, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <div className={styles.states} data-wide={wide}>
        {children}
      </div>
    </section>
  );
}

function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className={styles.state} data-design-state={name}>
      <figcaption className="muted">{name}</figcaption>
      {children}
    </figure>
  );
}

function Today({ name, learning }: { name: string; learning?: Learning | Error }) {
  const [client] = useState(() => clientWith(learning));
  return (
    <State name={name}>
      <QueryClientProvider client={client}>
        <TodayCard isSecond={false} starting={undefined} onStart={nothing} />
      </QueryClientProvider>
    </State>
  );
}
