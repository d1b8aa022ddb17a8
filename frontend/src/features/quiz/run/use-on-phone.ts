import { useSyncExternalStore } from 'react';

/** As in the style sheets of a run: where its buttons are a bar at the bottom of the screen. */
const PHONE = '(max-width: 48rem)';

function subscribe(onChange: () => void) {
  const query = matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

export const useOnPhone = () => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches);
