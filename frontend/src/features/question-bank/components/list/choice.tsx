import { Field, Label, Select } from '@digdir/designsystemet-react';

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
