import { useEffect, useEffectEvent } from 'react';
import { identity } from '#lib/session.ts';

/**
 * Looks whether the link to a new address was opened, whenever somebody comes back to the page: it is
 * opened elsewhere. Where that has ended the session, the identity provider signs out.
 *
 * @param pending the address that the link was sent to
 * @param current the account's address
 */
export function useEmailChange(
  pending: string | null,
  current: string,
  onChanged: (email: string) => void,
): void {
  const look = useEffectEvent(async (now: string) => {
    if (pending === null) return;
    if (now.toLowerCase() === pending) {
      onChanged(pending);
      return;
    }
    if (document.visibilityState === 'hidden') return;
    try {
      const changes = await (await identity()).changes();
      const email = (await changes.refresh()).toLowerCase();
      if (email === pending) onChanged(email);
    } catch {
      // Without a network, say: the next look tells.
    }
  });
  // Also when it is there already at the first look, or said by a live update.
  useEffect(() => void look(current), [current]);
  useEffect(() => {
    const onReturn = () => void look(current);
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
    };
  }, [current]);
}
