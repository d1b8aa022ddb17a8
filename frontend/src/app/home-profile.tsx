import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountKeys, accountQuery } from '#features/account/api.ts';
import { NewsSection } from '#features/news/news-section.tsx';
import { DisplaySection } from '#features/profile/display-section.tsx';
import { MyDataSection } from '#features/profile/my-data-section.tsx';
import { ProfileSection } from '#features/profile/profile-section.tsx';
import { purchasesQuery } from '#features/purchases/api.ts';
import { forgetLearner } from '#features/quiz/forget-old-answers.ts';
import { SupportAccess } from '#features/quiz/learning/support-access.tsx';
import { forgetEmailChange } from '#lib/email-change.ts';
import type { SignedInUser } from '#lib/identity.ts';
import { identity } from '#lib/session.ts';

/** The learner's profile, in the account card. */
export function HomeProfile({ user }: { user: SignedInUser }) {
  const queryClient = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  if (!account) return null;
  return (
    <ProfileSection
      user={user}
      account={account}
      onAccount={(next: AccountResponse) => queryClient.setQueryData(accountKeys.own(), next)}
      onStale={() => void queryClient.invalidateQueries({ queryKey: accountKeys.own() })}
    />
  );
}

/** The rest of the account tab: display settings, and the learner's data. */
export function HomeData({ user }: { user: SignedInUser }) {
  const navigate = useNavigate();
  const { data: account } = useQuery(accountQuery);
  const { data: purchases } = useQuery(purchasesQuery);
  const withdrawable = purchases?.payments.find(({ withdrawal }) => withdrawal !== null);

  async function leave() {
    forgetEmailChange();
    forgetLearner(user.uid);
    // Before the sign-out, after which this page would show the sign-in.
    await navigate({ to: '/quiz/deleted', replace: true });
    await (await identity()).signOut();
  }

  return (
    <>
      <DisplaySection />
      <SupportAccess />
      <NewsSection />
      {/* Also without the account: a deletion that stopped halfway has closed it. */}
      <MyDataSection
        hasPassword={user.hasPassword}
        daysLeft={account?.days_remaining ?? 0}
        withdrawable={withdrawable?.id}
        onDeleted={() => void leave()}
      />
    </>
  );
}
