import { Button, type ButtonProps } from '@digdir/designsystemet-react';

type BusyButtonProps = Omit<ButtonProps, 'loading' | 'disabled'> & {
  /** Under way: pressing does nothing, but the button keeps the focus, which `disabled` would drop. */
  busy: boolean | undefined;
};

export function BusyButton({ busy = false, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      loading={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // A form is sent by such a click too, also when Enter is pressed in a field.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
