/**
 * Throttles a call, for each argument separately: the first call is made at once, and calls within the
 * next `ms` milliseconds become one call at their end. Uses timers, not the clock, which may be set back:
 * docs/decisions/0026-where-our-own-code-stays.md.
 */
export function throttleEach<A>(ms: number, call: (argument: A) => void): (argument: A) => void {
  /** Arguments in their interval, and whether they were called again in it. */
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
