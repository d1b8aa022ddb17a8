import { Textfield } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';

/** In milliseconds: nobody's list is fetched for every letter. */
const PAUSE = 300;

type TypedFilterProps = {
  label: string;
  /** What the address has. */
  value: string;
  /** With them it takes whole numbers between these; `fault` says so. */
  min?: number;
  max?: number;
  fault?: string;
  onChange: (value: string) => void;
};

/** A filter that is typed. It follows the address, but not while somebody is typing. */
export function TypedFilter({ label, value, min, max, fault, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  // What the address had when last seen, and what this field last asked for.
  const [last, setLast] = useState({ seen: value, asked: value });
  if (value !== last.seen) {
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
      type={isNumber ? 'text' : 'search'}
      inputMode={isNumber ? 'numeric' : 'search'}
      autoComplete="off"
      maxLength={isNumber ? 10 : 200}
      value={typed}
      error={isWrong ? fault : undefined}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function isWithin(text: string, min: number, max: number): boolean {
  return /^\d+$/u.test(text) && Number(text) >= min && Number(text) <= max;
}
