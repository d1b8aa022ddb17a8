import { accessSync, chownSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** How to start a program of the server: a command prefix, and the account to run as. */
export interface Account {
  /** Empty, or a command that grants the capability to enter all folders. */
  prefix: string[];
  uid?: number;
  gid?: number;
  /** Makes the account the owner of a file or an empty folder. */
  own: (path: string) => void;
}

const SETPRIV_PLACES = ['/usr/bin/setpriv', '/bin/setpriv', '/run/current-system/sw/bin/setpriv'];

interface Identity {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Chooses the account for PostgreSQL, which refuses to run as root: root starts it as the owner of the data,
 * otherwise as `postgres`, otherwise as `nobody`. Creates no account.
 *
 * That account often may not enter the folders above the project (a clone under /root, a folder from
 * `mktemp -d`). Instead of opening those folders to all, the server gets one capability: to read and enter
 * folders regardless of permissions.
 *
 * @param paths the files that the server must access
 */
export function serverAccount(dataDir: string, paths: string[]): Account {
  const owner = existsSync(dataDir) ? statSync(dataDir).uid : undefined;
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && self !== undefined && owner !== self) {
      throw new Error(
        `${dataDir} belongs to another account (it was created by a start as root or as another user).\n` +
          'Start as that account, or remove the data as that account: npm run reset.',
      );
    }
    return { prefix: [], own: () => {} };
  }
  const identity = chooseIdentity(owner);
  const own = (path: string) => chownSync(path, identity.uid, identity.gid);
  const closed = paths.map((path) => closedFolder(path, identity)).find(Boolean);
  if (closed === undefined) return { prefix: [], own, uid: identity.uid, gid: identity.gid };
  return { prefix: enteringPrefix(identity, closed), own };
}

function chooseIdentity(owner: number | undefined): Identity {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const found =
    (owner ? accounts.find((account) => account.uid === owner) : undefined) ??
    accounts.find((account) => account.name === 'postgres') ??
    accounts.find((account) => account.name === 'nobody');
  if (!found) throw new Error('PostgreSQL does not run as root, and there is no other account.');
  return found;
}

/** The first folder above `path` that the account may not enter. */
function closedFolder(path: string, { uid, gid }: Identity): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const above = closedFolder(parent, { name: '', uid, gid });
  if (above !== undefined || !existsSync(parent)) return above;
  const { mode, uid: ownerUid, gid: ownerGid } = statSync(parent);
  const enter = ownerUid === uid ? 0o100 : ownerGid === gid ? 0o010 : 0o001;
  return (mode & enter) === 0 ? parent : undefined;
}

function enteringPrefix({ name, uid, gid }: Identity, closed: string): string[] {
  const setpriv = SETPRIV_PLACES.find(isExecutable);
  const capability = readingCapability();
  if (!setpriv || !capability) {
    throw new Error(
      `PostgreSQL does not run as root, and the account "${name}" may not enter ${closed}.\n` +
        `Start as an ordinary user, move the project, or allow it: chmod o+x ${closed}`,
    );
  }
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const rights = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
  // Without this bit, access(2) ignores capabilities, and PostgreSQL uses it to check that it may run its own
  // programs. The exec drops all other capabilities.
  return [setpriv, ...ids, ...rights, '--securebits=+no_setuid_fixup', '--'];
}

/** Containers keep the stronger of the two capabilities and drop the weaker, so it checks both. */
function readingCapability(): string | undefined {
  const held = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const bits = BigInt(`0x${held ?? '0'}`);
  if (bits & 4n) return 'dac_read_search';
  return bits & 2n ? 'dac_override' : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
