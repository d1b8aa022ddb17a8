import { createRootRoute, Outlet } from '@tanstack/react-router';
import { SkipLink } from '#components/page.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
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

export const rootRoute = createRootRoute({ component: Root });
