import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Emulator, startIdentityEmulator } from '@proveklar/local/stand-ins.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { TestIdentity } from '../support/identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'proveklar-identity-'));
const projectId = 'demo-proveklar';
let emulator: Emulator | undefined;

afterEach(async () => {
  await emulator?.child.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<TestIdentity> {
  const [port = 0] = await freePorts(1);
  const logFile = join(folder, 'log');
  emulator = startIdentityEmulator({
    host: '127.0.0.1',
    port,
    projectId,
    dataDir: folder,
    logFile,
  });
  await emulator.ready;
  return new TestIdentity(emulator.url, projectId);
}

function savedUsers(): number {
  const file = join(folder, 'users.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).length : 0;
}

it('keeps users, their passwords and their sessions over a kill', async () => {
  const before = await start();
  const user = await before.createPasswordUser();
  const admin = await before.signInWithGoogle({ email: 'admin@example.no' });
  // A change is saved within a fraction of a second; until then a kill would lose it.
  await expect.poll(() => savedUsers()).toBe(2);
  emulator?.child.kill();
  await emulator?.child.ended;

  const after = await start();
  const again = await after.signInWithPassword(user.email, user.password);
  expect(again.uid).toBe(user.uid);
  expect((await after.signInWithGoogle({ email: 'admin@example.no' })).uid).toBe(admin.uid);
  expect(await after.uidOf(user.idToken)).toBe(user.uid);
  await expect(after.signInWithPassword(user.email, 'another')).rejects.toThrow(
    'INVALID_LOGIN_CREDENTIALS',
  );
});
