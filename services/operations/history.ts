import type { Level } from './finding.ts';
import type { Part } from './status.ts';

/**
 * Remembers since when each part is as it is: by what it says itself, else by when this process first
 * saw it so.
 *
 * @returns a time; null for what was well from the first look on
 */
export function createHistory() {
  const seen = new Map<string, { level: Level; since: Date | null }>();

  return ({ id, level, findings }: Omit<Part, 'since'>, at: Date): string | null => {
    const before = seen.get(id);
    if (before?.level !== level) {
      seen.set(id, { level, since: before === undefined && level === 'ok' ? null : at });
    }
    const told = findings[0]?.forSeconds;
    if (told !== undefined) return new Date(at.getTime() - told * 1000).toISOString();
    return seen.get(id)?.since?.toISOString() ?? null;
  };
}
