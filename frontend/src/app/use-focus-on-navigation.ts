import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Moves focus to the new page's heading, so that a screen reader says where one has come to. */
export function useFocusOnNavigation() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
        heading?.setAttribute('tabindex', '-1');
        heading?.focus({ preventScroll: true });
      }),
    [router],
  );
}
