import { Button, type ButtonProps } from '@digdir/designsystemet-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogActions } from './app-dialog.tsx';
import { BusyButton, type BusyButtonProps } from './busy-button.tsx';
import { FormAlert } from './form-alert.tsx';

type FormEndProps = {
  /** What the button that sends the form does. */
  submit: ReactNode;
  /** Under way: the form is not sent again. */
  busy: boolean;
  /** Nothing to send, or not yet. */
  resting?: boolean;
  /** What went wrong. It is read aloud; the focus goes to the first wrong field, else to it. */
  error?: ReactNode;
  /** Changes with each try, where the next may fail in the same words: they are said again then. */
  attempt?: number;
  /** More about the button that sends the form, such as its colour. */
  button?: Omit<BusyButtonProps, 'busy' | 'resting' | 'children'>;
  /** In a dialog: closes it. */
  onCancel?: () => void;
  cancel?: Pick<ButtonProps, 'data-color'>;
  /** Of the row of buttons, where others stand beside this one. */
  row?: string | undefined;
  beside?: ReactNode;
};

export type FormProps = Omit<FormEndProps, 'submit'> & {
  /** Left out where the form has its `FormEnd` among its children. */
  submit?: ReactNode;
  /** Not called while it is under way or rests. */
  onSubmit: (form: HTMLFormElement) => void;
  /** The wrong fields, another object each time: the focus goes to the first, without any `error`. */
  faults?: object;
  ref?: RefObject<HTMLFormElement | null>;
  className?: string | undefined;
  'aria-label'?: string;
  children: ReactNode;
};

/**
 * A form: we say what is wrong with its fields, and not the browser, which would say it in its own language and
 * one field at a time. What was written stays until it was taken.
 */
export function Form(props: FormProps) {
  const { onSubmit, faults, ref, className, children, submit, ...end } = props;
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  useEffect(() => {
    if (faults) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults, form]);
  return (
    <form
      ref={form}
      noValidate
      className={className}
      aria-label={props['aria-label']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!end.busy && !end.resting) onSubmit(event.currentTarget);
      }}
    >
      {children}
      {submit !== undefined && <FormEnd {...end} submit={submit} />}
    </form>
  );
}

/** What went wrong, and the button that sends the form, with those beside it. */
export function FormEnd(props: FormEndProps) {
  const { submit, busy, resting = false, error, attempt, button, onCancel, cancel } = props;
  const { t } = useTranslation();
  const send = (
    <BusyButton type="submit" {...button} busy={busy} resting={resting}>
      {submit}
    </BusyButton>
  );
  return (
    <>
      <FormAlert key={attempt}>{error}</FormAlert>
      {onCancel && (
        <DialogActions>
          {send}
          <Button variant="secondary" {...cancel} onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
        </DialogActions>
      )}
      {!onCancel && props.beside !== undefined && (
        <div className={props.row}>
          {send}
          {props.beside}
        </div>
      )}
      {!onCancel && props.beside === undefined && send}
    </>
  );
}
