import { Field, Label, Select } from '@digdir/designsystemet-react';
import { useId } from 'react';

type ChoiceSelectProps<Value extends string> = {
  label: string;
  choices: readonly Value[];
  /** What a choice is called; by default the choice itself. */
  nameOf?: (choice: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
};

/** One of a few named values. */
export function ChoiceSelect<Value extends string>({
  label,
  choices,
  nameOf,
  value,
  onChange,
}: ChoiceSelectProps<Value>) {
  const id = useId();
  return (
    <Field>
      <Label htmlFor={id}>{label}</Label>
      <Select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((choice) => choice === currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {choices.map((choice) => (
          <Select.Option key={choice} value={choice}>
            {nameOf ? nameOf(choice) : choice}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}
