// Preloaded into every Node process of the stack, so that none outlives the one that started it:
// the channel between the two closes whichever way the parent ends, also by SIGKILL.
const LAST_RESORT_MS = 9_000;

process.once('disconnect', end);
// It may have happened before there was a listener.
if (process.send && !process.connected) end();
// Watching must not keep a process alive that has nothing more to do.
process.channel?.unref();

function end(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_RESORT_MS).unref();
}
