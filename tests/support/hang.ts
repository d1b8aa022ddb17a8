/**
 * How long (milliseconds) a test waits for a condition before it fails. Even a host that is ten times
 * slower stays below it, so only a wait that hangs reaches it.
 */
export const WAIT_TIMEOUT_MS = 120_000;
/** For `vi.waitFor`, in hooks and helpers where `expect.poll` is not allowed. */
export const WAIT = { timeout: WAIT_TIMEOUT_MS };

/** How long (milliseconds) a test or a hook may take: longer than several waits, whose errors say more. */
export const TEST_TIMEOUT_MS = 20 * 60_000;
