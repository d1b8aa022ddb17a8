import { useIsOwner } from '#components/admin/role.ts';
import { PaymentsScreen } from '#features/payments/payments.tsx';
import { SellerNotice } from '#features/settings/seller-notice.tsx';
import { GrantAllButton } from '#features/users/grant-days.tsx';

/** Support reads payments and gives days; what the seller lacks is for owners. */
export function PaymentsRoute() {
  const notice = useIsOwner() ? <SellerNotice elsewhere /> : null;
  return <PaymentsScreen actions={<GrantAllButton />} notice={notice} />;
}
