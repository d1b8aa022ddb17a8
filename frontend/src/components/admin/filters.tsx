import { Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { useEffect, useEffectEvent, useState } from 'react';

type ChoiceProps<T extends string> = {
  label: string;
  value: T | undefined;
  /** The label of no choice. */
  all: string;
  /** Values with their labels. */
  options: readonly (readonly [T, string])[];
  onChange: (value: T | undefined) => void;
};

/** A select with one of a few values, or none. */
export function Choice<T extends string>({ label, value, all, options, onChange }: ChoiceProps<T>) {
  return (
    <Field>
      <Label>{label}</Label>
      <Select
        value={value ?? ''}
        onChange={({ currentTarget }) =>
          onChange(options.find(([known]) => known === currentTarget.value)?.[0])
        }
      >
        <Select.Option value="">{all}</Select.Option>
        {options.map(([known, name]) => (
          <Select.Option key={known} value={known}>
            {name}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}

/** Adds the chosen value from the address if the list does not have it (yet). */
export function withChosen(values: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? [...values] : [chosen, ...values];
}

/** So that not every typed letter loads the list. */
const DEBOUNCE_MS = 300;

type TypedFilterProps = {
  label: string;
  description?: string;
  /** The value in the address. */
  value: string;
  /** If given, the field takes whole numbers in this range; `fault` is its error message. */
  min?: number;
  max?: number;
  fault?: string;
  /** For text, in characters. */
  maxLength?: number;
  onChange: (value: string) => void;
};

/** A text filter, debounced. It follows the address, but not while the user is typing. */
export function TypedFilter(props: TypedFilterProps) {
  const { label, description, value, min, max, fault, maxLength = 200, onChange } = props;
  const [typed, setTyped] = useState(value);
  // `seen`: the last value from the address. `requested`: the last value that this field has set.
  const [last, setLast] = useState({ seen: value, requested: value });
  if (value !== last.seen) {
    // Changed elsewhere, such as by a button that clears all filters.
    if (value !== last.requested) setTyped(value);
    setLast({ seen: value, requested: value });
  }
  const wanted = typed.trim();
  const isNumber = min !== undefined;
  const isWrong = isNumber && wanted !== '' && !isWithin(wanted, min, max ?? Infinity);

  // An event: a new `onChange` must not start the delay again.
  const request = useEffectEvent((next: string) => {
    setLast(({ seen }) => ({ seen, requested: next }));
    onChange(next);
  });
  useEffect(() => {
    if (wanted === value || isWrong) return undefined;
    const timer = setTimeout(() => request(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted, value, isWrong]);

  return (
    <Textfield
      label={label}
      description={description}
      type={isNumber ? 'text' : 'search'}
      inputMode={isNumber ? 'numeric' : 'search'}
      autoComplete="off"
      maxLength={isNumber ? 10 : maxLength}
      value={typed}
      error={isWrong ? fault : undefined}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function isWithin(text: string, min: number, max: number): boolean {
  return /^\d+$/u.test(text) && Number(text) >= min && Number(text) <= max;
}
