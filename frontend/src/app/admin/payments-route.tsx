import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { PaymentsScreen } from '#features/payments/components/payments-screen.tsx';
import { type PaymentsSearch, readPaymentsSearch } from '#features/payments/search.ts';
import { SellerNotice } from '#features/settings/components/seller-notice.tsx';
import { GrantAllButton } from '#features/users/components/grant-all-button.tsx';

export function PaymentsRoute() {
  const navigate = useNavigate();
  const asked = useSearch({ from: '/identified/admin/dashboard/payments' });
  const search = useMemo(() => readPaymentsSearch(asked), [asked]);
  const show = useCallback(
    (next: PaymentsSearch) =>
      void navigate({ to: '/admin/dashboard/payments', search: next, replace: true }),
    [navigate],
  );
  return (
    <PaymentsScreen
      search={search}
      onSearch={show}
      actions={<GrantAllButton />}
      notice={<SellerNotice elsewhere />}
    />
  );
}
