import { useEffect, useEffectEvent } from 'react';
import { identity } from '#lib/session.ts';

/**
 * Looks whether the link to a new address was opened, whenever somebody comes back to the page: it is
 * opened elsewhere. Where that has ended the session, the identity provider signs out.
 */
export function useEmailChange(pending: string | null, onChanged: (email: string) => void): void {
  const look = useEffectEvent(async () => {
    if (pending === null || document.visibilityState === 'hidden') return;
    try {
      const changes = await (await identity()).changes();
      const email = (await changes.refresh()).toLowerCase();
      if (email === pending) onChanged(email);
    } catch {
      // Without a network, say: the next look tells.
    }
  });
  useEffect(() => {
    const onReturn = () => void look();
    onReturn();
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
    };
  }, []);
}
