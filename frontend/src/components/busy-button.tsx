import { Button, type ButtonProps } from '@digdir/designsystemet-react';

export type BusyButtonProps = Omit<ButtonProps, 'loading' | 'disabled'> & {
  /** The action runs: pressing does nothing, but the button keeps the focus, which `disabled` would drop. */
  busy: boolean | undefined;
  /** Cannot be pressed yet, or not again yet. */
  resting?: boolean;
};

export function BusyButton({ busy = false, resting = false, onClick, ...rest }: BusyButtonProps) {
  const inactive = busy || resting;
  return (
    <Button
      {...rest}
      loading={busy}
      aria-disabled={inactive || undefined}
      onClick={(event) => {
        // Otherwise the click would submit a form, as would Enter in a field.
        if (inactive) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
