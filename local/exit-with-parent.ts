// Preloaded into every Node process of the stack, so that none outlives its parent: the channel between the
// two closes however the parent ends, also by SIGKILL.
const KILL_TIMEOUT_MS = 9_000;

process.once('disconnect', end);
// The parent may have ended before the listener was added.
if (process.send && !process.connected) end();
// The channel alone must not keep the process alive.
process.channel?.unref();

function end(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_TIMEOUT_MS).unref();
}
