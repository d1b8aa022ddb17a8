import {
  type NavigateOptions,
  type RegisteredRouter,
  useNavigate,
  useSearch,
} from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Routes = RegisteredRouter['routesByPath'];
/** Paths of the portal's pages, as the router knows them. */
type ScreenPath = Extract<keyof Routes, `/admin/dashboard/${string}`>;
type SearchOf<Path extends ScreenPath> = Routes[Path]['types']['fullSearchSchema'];

/**
 * The search parameters of the portal's page at `path`, and a function that changes them.
 *
 * `read` validates them if the route does not, so that this code is in the page's chunk, not in the entry
 * chunk. `show` adds an entry to the history; with `replace`, Back does not lead to the earlier search.
 */
export function useScreenSearch<Path extends ScreenPath>(
  path: Path,
  read?: (parsed: Record<string, unknown>) => SearchOf<Path>,
) {
  const navigate = useNavigate();
  const parsed = useSearch({ strict: false });
  const search = useMemo(
    () => (read ? read(parsed as Record<string, unknown>) : (parsed as SearchOf<Path>)),
    [read, parsed],
  );
  const show = useCallback(
    (next: SearchOf<Path>, { replace = false } = {}) =>
      // `navigate` cannot infer its types from a generic path.
      void navigate({ to: path, search: next, replace } as NavigateOptions),
    [navigate, path],
  );
  return [search, show] as const;
}
