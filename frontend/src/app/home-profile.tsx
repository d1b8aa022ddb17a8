import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountKeys, accountQuery } from '#features/account/api.ts';
import { DisplaySection } from '#features/profile/display-section.tsx';
import { MyDataSection } from '#features/profile/my-data-section.tsx';
import { ProfileSection } from '#features/profile/profile-section.tsx';
import { purchasesQuery } from '#features/purchases/api.ts';
import { forgetAnswersOf } from '#features/quiz/forget-old-answers.ts';
import { forgetEmailChange } from '#lib/email-change.ts';
import type { SignedInUser } from '#lib/identity.ts';
import { identity } from '#lib/session.ts';

/** Who the learner is, in the card of the account. */
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

/** The rest of the account tab: how it is shown, and the learner's data. */
export function HomeData({ user }: { user: SignedInUser }) {
  const navigate = useNavigate();
  const { data: account } = useQuery(accountQuery);
  const { data: purchases } = useQuery(purchasesQuery);
  const withdrawable = purchases?.payments.find(({ withdrawal }) => withdrawal !== null);

  async function leave() {
    forgetEmailChange();
    forgetAnswersOf(user.uid);
    // First: signed out, this page would ask to sign in.
    await navigate({ to: '/quiz/deleted', replace: true });
    await (await identity()).signOut();
  }

  return (
    <>
      <DisplaySection />
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
