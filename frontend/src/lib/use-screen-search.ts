import {
  type NavigateOptions,
  type RegisteredRouter,
  useNavigate,
  useSearch,
} from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Routes = RegisteredRouter['routesByPath'];
/** Paths of the portal's screens, as the router knows them. */
type ScreenPath = Extract<keyof Routes, `/admin/dashboard/${string}`>;
type SearchOf<Path extends ScreenPath> = Routes[Path]['types']['fullSearchSchema'];

/**
 * What the address says of the screen at `path`, and the way to another search of the same screen.
 *
 * `read` keeps of it what the screen can show, where the route does not: its code comes with the
 * screen then, and not with the first page.
 * `show` adds to the history; with `replace`, Back does not lead to the search before.
 */
export function useScreenSearch<Path extends ScreenPath>(
  path: Path,
  read?: (asked: Record<string, unknown>) => SearchOf<Path>,
) {
  const navigate = useNavigate();
  const asked = useSearch({ strict: false });
  const search = useMemo(
    () => (read ? read(asked as Record<string, unknown>) : (asked as SearchOf<Path>)),
    [read, asked],
  );
  const show = useCallback(
    (next: SearchOf<Path>, { replace = false } = {}) =>
      // The types of `navigate` do not follow a path that is not known yet.
      void navigate({ to: path, search: next, replace } as NavigateOptions),
    [navigate, path],
  );
  return [search, show] as const;
}
