import { useIsOwner } from '#components/admin/role.ts';
import { PaymentsScreen } from '#features/payments/payments.tsx';
import { SellerNotice } from '#features/settings/seller-notice.tsx';
import { GrantAllButton } from '#features/users/grant-days.tsx';

/** Support reads payments, and gives days on the page of a user. */
export function PaymentsRoute() {
  const isOwner = useIsOwner();
  if (!isOwner) return <PaymentsScreen actions={null} notice={null} />;
  return <PaymentsScreen actions={<GrantAllButton />} notice={<SellerNotice elsewhere />} />;
}
