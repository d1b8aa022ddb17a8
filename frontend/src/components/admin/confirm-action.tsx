import { Button } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';

type Confirmation<Result> = {
  title: string;
  /** What will happen, in paragraphs. */
  body: ReactNode;
  /** What the button does, such as "Delete the user"; never "OK". */
  action: string;
  /** The other button, where "Cancel" could be read as the action. */
  keep?: string;
  /** `danger` when it is left out. */
  tone?: 'danger' | 'primary';
  /** Runs once it is confirmed. When it fails, the dialog says so and can be confirmed again. */
  run: () => Promise<Result>;
  /** Called after a success, even if the dialog was closed meanwhile. */
  onDone?: (result: Result) => unknown;
  /** The text for a failure; by default its reason alone. */
  describeError?: (reason: string) => string;
};

let shown: Confirmation<unknown> | undefined;
const listeners = new Set<() => void>();

/** Asks in a dialog before `run` is called. The dialog is `ConfirmActionHost`. */
export function confirmAction<Result>(confirmation: Confirmation<Result>): void {
  // Only the host calls `onDone`, with the result of this `run`, so the cast is safe.
  ask(confirmation as Confirmation<unknown>);
}

function ask(next: Confirmation<unknown> | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dialog of `confirmAction`; rendered once, in the frame of the portal. Unmounting it closes the dialog. */
export function ConfirmActionHost() {
  const current = useSyncExternalStore(subscribe, () => shown);
  const errorText = useErrorText();
  const order = useMutation({
    mutationFn: ({ run }: Confirmation<unknown>) => run(),
    onSuccess: (result, confirmed) => {
      // Another confirmation may have replaced it.
      if (shown === confirmed) ask(undefined);
      return confirmed.onDone?.(result);
    },
  });
  useEffect(() => () => ask(undefined), []);

  // The state of an earlier confirmation, closed since, does not apply to this one.
  const isOrdered = order.variables === current;
  const reason = isOrdered && order.isError ? errorText(order.error) : '';
  return (
    <ConfirmDialog
      open={current !== undefined}
      title={current?.title ?? ''}
      action={current?.action ?? ''}
      keep={current?.keep}
      tone={current?.tone ?? 'danger'}
      busy={isOrdered && order.isPending}
      error={reason && (current?.describeError?.(reason) ?? reason)}
      onConfirm={() => current && order.mutate(current)}
      onClose={() => ask(undefined)}
    >
      {current?.body}
    </ConfirmDialog>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button does, such as "Delete the user"; never "OK". */
  action: string;
  keep?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
  busy: boolean;
  /** The error; the dialog stays open and can be confirmed again. */
  error?: string;
  tone?: 'danger' | 'primary';
};

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, action, onConfirm, onClose, busy, error = '' } = props;
  const { t } = useTranslation();
  return (
    <AppDialog open={open} onClose={onClose} title={title}>
      {children}
      <FormAlert>{error}</FormAlert>
      <DialogActions>
        <BusyButton data-color={props.tone ?? 'danger'} busy={busy} onClick={onConfirm}>
          {action}
        </BusyButton>
        <Button variant="secondary" onClick={onClose}>
          {props.keep ?? t('actions.cancel')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
