import { createRootRoute, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SkipLink } from '#components/page.tsx';
import { focusHeading } from '#lib/focus-heading.ts';
import { useKeptFocus } from './use-kept-focus.ts';

function Root() {
  useFocusOnNavigation();
  useKeptFocus();
  return (
    <>
      <SkipLink />
      <Outlet />
    </>
  );
}

/** Focuses the new page's heading after a navigation, except on the first page and between tabs. */
function useFocusOnNavigation() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusHeading();
      }),
    [router],
  );
}

export const rootRoute = createRootRoute({ component: Root });
