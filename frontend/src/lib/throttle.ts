/**
 * Throttles a call, for each argument alone: at once, then at most once in so many milliseconds; what
 * came in between is made up for by one call at the end. By timers only, not by the clock, which may be
 * set back: docs/decisions/0026-where-our-own-code-stays.md.
 */
export function throttleEach<A>(ms: number, call: (argument: A) => void): (argument: A) => void {
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
