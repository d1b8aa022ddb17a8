import { followLanguage } from './follow-language.ts';
import { type FollowedParts, keepUpToDate } from './live/live-updates.ts';

/** The background work from the first sign-in on. */
export function startWhileSignedIn(parts: FollowedParts): void {
  keepUpToDate(parts);
  followLanguage(parts);
}
