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
  /** The stored values, by their API names. Untouched fields follow them when they change. */
  values: F;
  /** The invalid fields: their names, or the error of each. */
  faultsOf: (fields: F) => readonly (keyof F)[] | Partial<Record<keyof F, string>>;
  /** Called when all fields are valid. */
  onSubmit: (fields: F) => void;
  /** Called when a field is edited. */
  onWrite?: (name: keyof F) => void;
};

/** What stays in an open form when the stored values change. */
const KEEP = { keepDirtyValues: true, keepErrors: true, keepSubmitCount: true };
/** For a reset, which must override `KEEP`. */
const FORGET = { keepDirtyValues: false, keepErrors: false, keepSubmitCount: false };

/**
 * The fields of a form of the portal, by react-hook-form. They are validated on submit; an error stays
 * until its field is edited.
 */
export function useCheckedForm<F extends FieldValues>(options: CheckedFormOptions<F>) {
  const { values, faultsOf, onSubmit, onWrite } = options;
  const form = useForm<F>({
    values,
    defaultValues: values as DefaultValues<F>,
    resetOptions: KEEP,
    reValidateMode: 'onSubmit',
    // Our `Form` moves the focus, together with the announcement.
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
  // react-hook-form tracks only the state that is read.
  const { errors, submitCount, dirtyFields } = form.formState;
  const fields = useWatch({ control: form.control }) as F;
  const send = form.handleSubmit((sent) => onSubmit(sent));
  return {
    /** The current values. */
    fields,
    /** The error of each invalid field. */
    faults: Object.fromEntries(
      Object.entries(errors).map(([name, error]) => [name, error?.type]),
    ) as Partial<Record<keyof F, string>>,
    dirtyFields,
    attempt: submitCount,
    /** The props of a text field or a checkbox. */
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
    /** Marks the field that the API's error names, if it is in this form. */
    refuse: (error: unknown) => {
      const named = error instanceof ApiError ? error.details.field : undefined;
      if (typeof named === 'string' && named in values) {
        form.setError(named as Path<F>, { type: 'refused' });
      }
    },
    write: (name: Extract<keyof F, string>, value: F[keyof F]) =>
      form.setValue(name as unknown as Path<F>, value, { shouldDirty: true }),
    /** Replaces what was typed by the stored or given values. */
    reset: (stored: F = values) => form.reset(stored, FORGET),
  };
}
