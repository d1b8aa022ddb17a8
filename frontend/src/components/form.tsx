import { Button, type ButtonProps } from '@digdir/designsystemet-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogActions } from './app-dialog.tsx';
import { BusyButton, type BusyButtonProps } from './busy-button.tsx';
import { FormAlert } from './form-alert.tsx';

type FormEndProps = {
  /** The label of the submit button. */
  submit: ReactNode;
  /** The submit is under way: the form is not submitted again. */
  busy: boolean;
  /** There is nothing to submit, or not yet. */
  resting?: boolean;
  /** The error. It is announced; the focus goes to the first invalid field, else to the error. */
  error?: ReactNode;
  /** Changes with each attempt: the same error is announced again, or the same invalid field focused again. */
  attempt?: number;
  /** More props of the submit button, such as its colour. */
  button?: Omit<BusyButtonProps, 'busy' | 'resting' | 'children'>;
  /** In a dialog: closes it. */
  onCancel?: () => void;
  cancel?: Pick<ButtonProps, 'data-color'>;
  /** The class of the row of buttons, if there are others next to this one. */
  row?: string | undefined;
  beside?: ReactNode;
};

export type FormProps = Omit<FormEndProps, 'submit'> & {
  /** Left out if the form has a `FormEnd` among its children. */
  submit?: ReactNode;
  /** Not called while the form is busy or resting. */
  onSubmit: (form: HTMLFormElement) => void;
  /** The invalid fields; a new object moves the focus to the first of them, also without an `error`. */
  faults?: object;
  ref?: RefObject<HTMLFormElement | null>;
  className?: string | undefined;
  'aria-label'?: string;
  children: ReactNode;
};

/**
 * A form that shows its own validation errors. The browser's would be in the browser's language, and one
 * field at a time. Typed input stays until it is accepted.
 */
export function Form(props: FormProps) {
  const { onSubmit, faults, ref, className, children, submit, ...end } = props;
  const { attempt } = end;
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  useEffect(() => {
    if (!faults && !attempt) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults, attempt, form]);
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

/** The error of a form and its attempts, which are props of it, and what sets them. */
export function useFormError() {
  const [said, setSaid] = useState({ error: '', attempt: 0 });
  const say = (error: string) => setSaid(({ attempt }) => ({ error, attempt: attempt + 1 }));
  return [said, say] as const;
}

/** The error, the submit button, and the buttons next to it. */
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
