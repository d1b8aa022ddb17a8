/** How long after the first a second signal is still the same Ctrl-C: see `onInterruption`. */
const SAME_MS = 1_000;

/**
 * Hears that this process is to end: a signal, or the end of the process above.
 *
 * One Ctrl-C arrives up to three times: the terminal sends it to the whole group, and npm and the
 * bootstrap pass it on. Only a second one, a moment later, is impatience.
 */
export function onInterruption(first: () => void, again: () => void): void {
  let at: number | undefined;
  const hear = () => {
    at ??= (first(), Date.now());
    if (Date.now() - at > SAME_MS) again();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  process.once('disconnect', hear);
  if (process.send && !process.connected) hear();
  // Neither the channel nor a closed terminal may hold the process up.
  process.channel?.unref();
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
