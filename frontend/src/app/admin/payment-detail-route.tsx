import { useParams } from '@tanstack/react-router';
import { PaymentPage } from '#features/payments/components/payment-page.tsx';

export function PaymentDetailRoute() {
  const { id } = useParams({ from: '/identified/admin/dashboard/payments/$id' });
  // What was begun for one payment does not belong to the next.
  return <PaymentPage key={id} id={id} />;
}
