import { Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';

type ChoiceProps<T extends string> = {
  label: string;
  value: T | undefined;
  /** What stands for no choice. */
  all: string;
  /** Values with their names. */
  options: readonly (readonly [T, string])[];
  onChange: (value: T | undefined) => void;
};

/** One of a few, or none of them. */
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

/** The address may name what the list does not have (yet): the field says it all the same. */
export function withChosen(values: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? [...values] : [chosen, ...values];
}

/** In milliseconds: no list is fetched for every letter. */
const PAUSE = 300;

type TypedFilterProps = {
  label: string;
  description?: string;
  /** What the address has. */
  value: string;
  /** With them it takes whole numbers between these; `fault` says so. */
  min?: number;
  max?: number;
  fault?: string;
  /** Of a text, in characters. */
  maxLength?: number;
  onChange: (value: string) => void;
};

/** A filter that is typed. It follows the address, but not while one is typing. */
export function TypedFilter(props: TypedFilterProps) {
  const { label, description, value, min, max, fault, maxLength = 200, onChange } = props;
  const [typed, setTyped] = useState(value);
  // What the address had when last seen, and what this field last asked for.
  const [last, setLast] = useState({ seen: value, asked: value });
  if (value !== last.seen) {
    // Changed from elsewhere, such as by a button that shows all.
    if (value !== last.asked) setTyped(value);
    setLast({ seen: value, asked: value });
  }
  const wanted = typed.trim();
  const isNumber = min !== undefined;
  const isWrong = isNumber && wanted !== '' && !isWithin(wanted, min, max ?? Infinity);

  useEffect(() => {
    const pause = setTimeout(() => {
      if (wanted === value || isWrong) return;
      setLast(({ seen }) => ({ seen, asked: wanted }));
      onChange(wanted);
    }, PAUSE);
    return () => clearTimeout(pause);
  }, [wanted, value, isWrong, onChange]);

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
