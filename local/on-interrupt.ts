/** Signals within this time of the first are from the same Ctrl-C: see `onInterrupt`. */
const SAME_INTERRUPT_MS = 1_000;

/**
 * Calls `first` when this process should stop, because of a signal or the end of its parent, and `again` at a
 * second request.
 *
 * One Ctrl-C arrives up to three times: the terminal sends it to the whole process group, and npm and the
 * bootstrap forward it. Only a signal a second later is a second request.
 */
export function onInterrupt(first: () => void, again: () => void): void {
  let at: number | undefined;
  const handle = () => {
    at ??= (first(), Date.now());
    if (Date.now() - at > SAME_INTERRUPT_MS) again();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
  process.once('disconnect', handle);
  if (process.send && !process.connected) handle();
  // Neither the channel nor a closed terminal may keep the process alive.
  process.channel?.unref();
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
