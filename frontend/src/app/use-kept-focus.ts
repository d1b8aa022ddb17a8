import { useEffect } from 'react';
import { focusHeading } from '#lib/focus-heading.ts';

/**
 * When what had the focus disappears (a pressed button, a link to another form), the browser leaves
 * the focus nowhere. Then the heading gets it, unless the new content has taken it; as soon as there is
 * one, where it is still loaded.
 */
export function useKeptFocus() {
  useEffect(() => {
    let last: Element | null = null;
    let frame = 0;
    /** The page itself has the focus: it had no heading yet. */
    let isAwaited = false;

    function check() {
      if (isAwaited && last === document.activeElement) {
        if (last?.querySelector('h1')) focusHeading();
        return;
      }
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (!last || !lost) return;
      if (last.isConnected) {
        // Still there but left: somebody has clicked beside it.
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
