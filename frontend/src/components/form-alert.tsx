import { Alert } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Says what went wrong, at once and aloud, and gets the focus, or the first field that is wrong.
 * Renders nothing while there is nothing to say.
 */
export function FormAlert({ children }: { children: ReactNode }) {
  const alert = useRef<HTMLDivElement>(null);
  const said = typeof children === 'string' ? children : Boolean(children);
  useEffect(() => {
    if (!said) return;
    // In sight as far as the field leaves room for it: in a dialog it may stand below what is seen.
    alert.current?.scrollIntoView({ block: 'nearest' });
    const field = alert.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]');
    (field ?? alert.current)?.focus();
  }, [said]);
  if (!children) return null;
  return (
    <Alert ref={alert} tabIndex={-1} data-color="danger" data-size="sm" role="alert">
      {children}
    </Alert>
  );
}
