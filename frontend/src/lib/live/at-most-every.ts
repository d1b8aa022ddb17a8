/**
 * Calls at once, then at most once in so many milliseconds for each argument; what came in between
 * is made up for by one call at the end.
 */
export function atMostEvery<A>(ms: number, call: (argument: A) => void): (argument: A) => void {
  /** Arguments that were called for lately, and whether again since. */
  const recent = new Map<A, boolean>();
  function now(argument: A) {
    recent.set(argument, false);
    setTimeout(() => {
      const again = recent.get(argument);
      recent.delete(argument);
      if (again) now(argument);
    }, ms);
    call(argument);
  }
  return (argument) => {
    if (recent.has(argument)) recent.set(argument, true);
    else now(argument);
  };
}
