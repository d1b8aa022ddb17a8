import { useState } from 'react';

/** The box that must be ticked before going on, unticked at first. */
export function useConsent() {
  const [checked, setChecked] = useState(false);
  const [refused, setRefused] = useState(0);

  /** @returns whether one may go on; otherwise the box says what is missing */
  function isGiven(): boolean {
    if (!checked) setRefused((times) => times + 1);
    return checked;
  }

  return { isGiven, box: { checked, refused, onChange: setChecked } };
}
