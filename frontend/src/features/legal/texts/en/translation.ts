/** Two texts that bind us must not say two things. */
export const TRANSLATION =
  'This is a translation. If it differs from the Norwegian text, the Norwegian text decides.';
