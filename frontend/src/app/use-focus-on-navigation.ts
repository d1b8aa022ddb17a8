import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusHeading } from '#lib/focus-heading.ts';

/** After navigation the new page's heading has the focus; not on the first page, nor for a tab. */
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
