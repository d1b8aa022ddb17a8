import { beforeLanguageChange, loadTexts } from '#i18n/i18n.ts';
import type * as RestModule from './rest.tsx';

type Rest = typeof RestModule;

// The page below the question: its HTML comes from the server and works without code, because it only has
// links and details. So its code and texts are loaded when the visitor first moves, and it is hydrated then.

let loaded: Rest | undefined;

/** Its code, once it is loaded. */
export const loadedRest = () => loaded;

/** Loads its code and texts, for a page that has no HTML from the server. */
export async function loadRest(): Promise<Rest> {
  const [rest] = await Promise.all([import('./rest.tsx'), loadTexts('landing')]);
  loaded = rest;
  return rest;
}

const wanted = Promise.withResolvers<Rest>();
const hydrated = Promise.withResolvers<void>();

/** Its code, once a visitor wants it. It never fails: without code, the HTML of the server stays. */
export const wantedRest = () => wanted.promise;

const want = () => void loadRest().then(wanted.resolve, () => undefined);
/** Called by the rest of the page once it is there. */
export const restIsHydrated = () => hydrated.resolve();

const MOVES = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/**
 * Waits for the visitor. A change of language waits for the rest of the page, because React can only
 * hydrate a page in the language in which it came.
 *
 * @returns a function that stops waiting
 */
export function hydrateRestWhenWanted(): () => void {
  const options = { passive: true, once: true };
  for (const move of MOVES) window.addEventListener(move, want, options);
  const forget = beforeLanguageChange(async () => {
    want();
    try {
      await loadRest();
    } catch {
      return;
    }
    await hydrated.promise;
  });
  return () => {
    for (const move of MOVES) window.removeEventListener(move, want);
    forget();
  };
}
