import { Button } from '@digdir/designsystemet-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { useErrorText } from '#lib/error-text.ts';

type ConfirmedActionProps = {
  button: string;
  title: string;
  /** What will happen. */
  children: ReactNode;
  mutation: Pick<UseMutationResult, 'isPending' | 'error' | 'reset'>;
  onConfirm: (options: { onSuccess: () => void }) => void;
  tone?: 'danger' | 'primary';
  variant?: 'primary' | 'secondary' | 'tertiary';
};

/** A button that asks first. */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { button, title, children, mutation, onConfirm, tone = 'danger' } = props;
  const errorText = useErrorText();
  const [isOpen, setOpen] = useState(false);
  function close() {
    mutation.reset();
    setOpen(false);
  }
  return (
    <>
      <Button
        variant={props.variant ?? 'secondary'}
        data-color={tone}
        onClick={() => setOpen(true)}
      >
        {button}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={title}
        action={button}
        tone={tone}
        busy={mutation.isPending}
        error={mutation.error && !mutation.isPending ? errorText(mutation.error) : ''}
        onConfirm={() => onConfirm({ onSuccess: () => setOpen(false) })}
        onClose={close}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
