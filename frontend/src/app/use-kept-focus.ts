import { useEffect } from 'react';
import { focusHeading } from '#lib/focus-heading.ts';

/**
 * When the focused element disappears (a pressed button, a link to another form), nothing has the focus.
 * This moves it to the heading, unless the new content has taken it, and waits for a heading that is
 * still being loaded.
 */
export function useKeptFocus() {
  useEffect(() => {
    let last: Element | null = null;
    let frame = 0;
    /** The page's `main` has the focus, because there was no heading yet. */
    let isAwaited = false;

    function check() {
      if (isAwaited && last === document.activeElement) {
        if (last?.querySelector('h1')) focusHeading();
        return;
      }
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (!last || !lost) return;
      if (last.isConnected) {
        // The element is still there: the user has clicked outside it.
        last = null;
      } else focusHeading();
    }
    function checkSoon() {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(check);
    }
    function remember({ target }: FocusEvent) {
      if (!(target instanceof Element)) return;
      last = target;
      isAwaited = target.localName === 'main' && !target.querySelector('h1');
    }

    const observer = new MutationObserver(() => {
      if (isAwaited || (last && !last.isConnected)) checkSoon();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', checkSoon);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', checkSoon);
    };
  }, []);
}
