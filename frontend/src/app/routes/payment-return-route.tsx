import { useRouterState } from '@tanstack/react-router';
import { PaymentReturnPage } from '#features/payment-return/payment-return.tsx';
import { RegistrationOutcome } from '#features/registration/registration-outcome.tsx';

export function PaymentReturnRoute() {
  const payment = useRouterState({ select: ({ location }) => location.state.payment });
  return (
    <PaymentReturnPage
      payment={payment}
      renderRegistration={(paid) => <RegistrationOutcome {...paid} />}
    />
  );
}
