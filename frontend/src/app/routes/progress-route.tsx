import { AccessLink, useNeedsAccess } from '#features/account/account.tsx';
import { ProgressPage } from '#features/quiz/progress.tsx';

/** The learner's progress; without access, with the way to get it. */
export function ProgressRoute() {
  const needsAccess = useNeedsAccess();
  return <ProgressPage access={needsAccess && <AccessLink />} />;
}
