import { PaymentsScreen } from '#features/payments/payments.tsx';
import { SellerNotice } from '#features/settings/seller-notice.tsx';
import { GrantAllButton } from '#features/users/grant-days.tsx';

export function PaymentsRoute() {
  return <PaymentsScreen actions={<GrantAllButton />} notice={<SellerNotice elsewhere />} />;
}
