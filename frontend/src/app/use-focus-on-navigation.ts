import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusHeading } from '#lib/focus-heading.ts';

/** Focuses the new page's heading after a navigation, except on the first page and between tabs. */
export function useFocusOnNavigation() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusHeading();
      }),
    [router],
  );
}
