import { Alert } from '@digdir/designsystemet-react';
import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Shows and announces an error; it takes the focus, unless there is an invalid field to focus. Renders
 * nothing without an error.
 */
export function FormAlert({ children }: { children: ReactNode }) {
  const alert = useRef<HTMLDivElement>(null);
  const said = typeof children === 'string' ? children : Boolean(children);
  useEffect(() => {
    if (!said) return;
    // In a dialog it may be below the visible part.
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
