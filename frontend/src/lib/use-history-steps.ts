import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Typed input that is stored in the history; a password never is. */
export type TypedPerson = { username: string; email: string };

/**
 * The steps of a page as entries in the browser's history: Back goes one step back, and does not leave
 * the page.
 *
 * @param known whether the data that later steps need is in memory. If it is not, as after a reload, the
 *   first step is shown
 */
export function useHistorySteps(known: boolean) {
  const { history } = useRouter();
  const navigate = useNavigate();
  const step = useRouterState({ select: ({ location }) => location.state.step });
  const depth = useRouterState({ select: ({ location }) => location.state.depth }) ?? 0;
  const typed = useRouterState({ select: ({ location }) => location.state.typed });
  const leaving = useRef(false);
  useEffect(() => {
    if (!step || known) leaving.current = false;
    else if (!leaving.current) {
      leaving.current = true;
      history.go(-depth);
    }
  }, [step, known, depth, history]);

  return {
    /** Undefined for the first step. */
    step: known ? step : undefined,
    typed,
    back: () => history.back(),
    /** @param person fills in the first step whenever the user returns to it */
    forward: async (next: string, person: TypedPerson | undefined = typed) => {
      const kept = person && { typed: person };
      const here = { to: '.', search: true } as const;
      if (depth === 0 && kept) {
        await navigate({ ...here, state: kept, replace: true, resetScroll: false });
      }
      await navigate({ ...here, state: { ...kept, step: next, depth: depth + 1 } });
    },
  };
}
