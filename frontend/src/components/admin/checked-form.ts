import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  useForm,
  useWatch,
} from 'react-hook-form';
import { ApiError } from '#lib/api-error.ts';

type CheckedFormOptions<F extends FieldValues> = {
  /** What is stored, by the names that the API has for it. Fields that were not written in follow it. */
  values: F;
  /** The fields in which something cannot be right: their names, or what is wrong with each. */
  faultsOf: (fields: F) => readonly (keyof F)[] | Partial<Record<keyof F, string>>;
  /** Called when nothing is wrong. */
  onSubmit: (fields: F) => void;
  /** Called when something is written. */
  onWrite?: (name: keyof F) => void;
};

/** Of a form that is open while what is stored changes. */
const KEEP = { keepDirtyValues: true, keepErrors: true, keepSubmitCount: true };
/** Said outright: a reset takes over what is kept otherwise. */
const FORGET = { keepDirtyValues: false, keepErrors: false, keepSubmitCount: false };

/**
 * The fields of a form of the portal, held by react-hook-form. What is wrong is found when it is sent, and stays
 * said until that field is written in again.
 */
export function useCheckedForm<F extends FieldValues>(options: CheckedFormOptions<F>) {
  const { values, faultsOf, onSubmit, onWrite } = options;
  const form = useForm<F>({
    values,
    defaultValues: values as DefaultValues<F>,
    resetOptions: KEEP,
    reValidateMode: 'onSubmit',
    // The form does it, together with what is read aloud.
    shouldFocusError: false,
    resolver: (fields) => {
      const faults = faultsOf(fields);
      const found = Array.isArray(faults)
        ? faults.map((name: string) => [name, 'invalid'] as const)
        : Object.entries(faults);
      if (found.length === 0) return { values: fields, errors: {} };
      const errors = Object.fromEntries(found.map(([name, type]) => [name, { type }]));
      return { values: {}, errors: errors as FieldErrors<F> };
    },
  });
  // Read here, or the form would not keep them.
  const { errors, submitCount, dirtyFields } = form.formState;
  const fields = useWatch({ control: form.control }) as F;
  const send = form.handleSubmit((sent) => onSubmit(sent));
  return {
    /** What is written now. */
    fields,
    /** What is wrong with which field. */
    faults: Object.fromEntries(
      Object.entries(errors).map(([name, error]) => [name, error?.type]),
    ) as Partial<Record<keyof F, string>>,
    dirtyFields,
    attempt: submitCount,
    /** What a text field or a checkbox takes. */
    field: (name: Extract<keyof F, string>) => ({
      autoComplete: 'off',
      ...form.register(name as unknown as Path<F>, {
        onChange: () => {
          form.clearErrors(name as unknown as Path<F>);
          onWrite?.(name);
        },
      }),
    }),
    submit: () => void send(),
    /** Marks the field that the API named in its refusal, if it is one of these. */
    refuse: (error: unknown) => {
      const named = error instanceof ApiError ? error.details.field : undefined;
      if (typeof named === 'string' && named in values) {
        form.setError(named as Path<F>, { type: 'refused' });
      }
    },
    write: (name: Extract<keyof F, string>, value: F[keyof F]) =>
      form.setValue(name as unknown as Path<F>, value, { shouldDirty: true }),
    /** Takes what is stored, or is given, in place of what was written. */
    reset: (stored: F = values) => form.reset(stored, FORGET),
  };
}
