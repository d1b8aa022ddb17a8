import '#theme/components.css';
import { Alert, Button } from '@digdir/designsystemet-react';
import { COLOUR_SCHEME_COOKIE, toColourScheme } from '@proveklar/contract/page.ts';
import { TODAY } from '@proveklar/contract/quiz-topics.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { AccountSummary } from '#features/account/account.tsx';
import { AccountDetails } from '#features/account/account-details.tsx';
import { DisplaySection } from '#features/profile/display-section.tsx';
import type { Learning } from '#features/quiz/learning/api.ts';
import { keepBefore } from '#features/quiz/learning/before-set.ts';
import { ReadinessChange, SetChanges } from '#features/quiz/learning/set-result.tsx';
import { TodayCard } from '#features/quiz/learning/today-card.tsx';
import { TopicTiles } from '#features/quiz/learning/topic-tiles.tsx';
import { MistakeSets } from '#features/quiz/mistake-sets.tsx';
import { ResultVerdict } from '#features/quiz/verdict.tsx';
import { detectLanguage } from '#i18n/choose-language.ts';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { readCookie } from '#lib/cookies.ts';
import styles from './design.module.css';
import { ACCOUNT, CHANCES, ended, LEARNERS, PROGRESS } from './fixed-data.ts';
import { clientWith, screens, With } from './screens.tsx';

/**
 * `/design`, in development only (main.tsx): the parts of the learner's screens in their states, from the real
 * components with fixed data. What fills the screen is in a frame of its own: `/design?state=<name>`.
 */
export async function showDesign(root: HTMLElement): Promise<void> {
  await startTexts(detectLanguage());
  await Promise.all([loadTexts('pages'), loadTexts('learner'), loadTexts('purchase')]);
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

const nothing = () => {};
const CHOSEN = { exam: 'samfunnskunnskap', choose: nothing, isUnsent: false } as const;

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
        {Object.entries(CHANCES).map(([name, { before, now, topic }]) => (
          <Changed key={name} name={name} before={before} now={now} topic={topic} />
        ))}
      </Section>
      <Section title="Access">
        {Object.entries(ACCOUNT).map(([name, account]) => (
          <State key={name} name={name}>
            <With account={account}>
              <AccountSummary />
              <AccountDetails />
            </With>
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
  return (
    <State name={name}>
      <With learning={learning}>
        <TodayCard chosen={CHOSEN} isSecond={false} starting={undefined} onStart={nothing} />
      </With>
    </State>
  );
}

type ChangedProps = { name: string; before: Learning; now: Learning; topic: string };

/** What a quiz, or a set of today's practice, has changed. */
function Changed({ name, before, now, topic }: ChangedProps) {
  const session = { ...ended(24), id: name, topic };
  keepBefore(clientWith({ learning: before }), session);
  return (
    <State name={name}>
      <div className={styles.result}>
        <With learning={now}>
          {topic === TODAY ? (
            <SetChanges session={session} isLow={false} />
          ) : (
            <ReadinessChange session={session} />
          )}
        </With>
      </div>
    </State>
  );
}
