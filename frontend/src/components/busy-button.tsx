import { Button, type ButtonProps } from '@digdir/designsystemet-react';

export type BusyButtonProps = Omit<ButtonProps, 'loading' | 'disabled'> & {
  /** Under way: pressing does nothing, but the button keeps the focus, which `disabled` would drop. */
  busy: boolean | undefined;
  /** Not to be pressed again yet. */
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
        // A form is sent by such a click too, also when Enter is pressed in a field.
        if (inactive) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
