import { Alert } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';

/** Says what went wrong, at once and aloud. Renders nothing while there is nothing to say. */
export function FormAlert({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Alert data-color="danger" data-size="sm" role="alert">
      {children}
    </Alert>
  );
}
