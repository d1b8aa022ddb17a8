import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** What was typed and may stand in the history; a password never does. */
export type TypedPerson = { username: string; email: string };

/**
 * The steps of a screen as entries of the browser's history: Back goes one step back, not out of the
 * screen.
 *
 * @param known whether what the steps after the first need is in memory. Where it is not any more
 *   (after a reload, say) the first step is gone back to
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
    /** Undefined for the first one. */
    step: known ? step : undefined,
    typed,
    back: () => history.back(),
    /** @param person what the first step is to be filled with, whenever one comes back to it */
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
