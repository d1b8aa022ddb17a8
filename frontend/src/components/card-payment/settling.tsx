import { Spinner } from '@digdir/designsystemet-react';
import type { NotYetResponse } from '@proveklar/contract/payment.ts';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { forgetPayment } from '#lib/payment-keys.ts';
import styles from './card-payment.module.css';
import { isOver } from './problem.ts';

type SettlingPaymentProps = {
  paid: boolean;
  /** What the bank is doing, if the server has answered that the payment is not done. */
  waiting?: NotYetResponse['status'] | undefined;
};

/** Shown between the card and the purchase, while the bank or the server is processing. */
export function SettlingPayment({ paid, waiting }: SettlingPaymentProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <div role="status" className={styles.settling}>
      <Spinner aria-hidden="true" />
      {waiting ? (
        <div>
          <h2 className={styles.waiting}>{t(`purchase:payment.waiting.${waiting}_title`)}</h2>
          <p>{t(`purchase:payment.waiting.${waiting}_text`)}</p>
        </div>
      ) : (
        <p>{t(paid ? 'payment.confirming' : 'app.loading')}</p>
      )}
    </div>
  );
}

type Wait = NotYetResponse['status'];

type SettlementOptions<Result extends object> = {
  queryKey: QueryKey;
  /** Asks the server to settle the payment; idempotent. */
  ask: () => Promise<Result | NotYetResponse>;
  enabled: boolean;
};

type Settlement<Result> = {
  result: Result | undefined;
  /** What the bank is doing, while the payment is not done. */
  waiting: Wait | undefined;
  error: Error | null;
  busy: boolean;
  retry: () => void;
};

const MIN_POLL_INTERVAL_MS = 1_500;
const MAX_POLL_INTERVAL_MS = 20_000;

/**
 * Polls the outcome of a payment until it is known: again after a lost answer, and every few seconds
 * while the bank is processing. It never pays again.
 */
export function useSettlement<Result extends object>({
  queryKey,
  ask,
  enabled,
}: SettlementOptions<Result>): Settlement<Result> {
  const query = useQuery({
    queryKey,
    queryFn: ask,
    // A settled payment is not asked for again, even if the key is invalidated.
    enabled: ({ state }) => enabled && (state.data === undefined || isNotYet(state.data)),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      if (!state.data || !isNotYet(state.data) || isFinal(state.error)) return false;
      return Math.min(
        MIN_POLL_INTERVAL_MS * 1.5 ** (state.dataUpdateCount - 1),
        MAX_POLL_INTERVAL_MS,
      );
    },
    refetchIntervalInBackground: true,
  });
  const { data, isFetching, refetch } = query;
  const waiting = data && isNotYet(data) ? data.status : undefined;
  const result = data && !isNotYet(data) ? data : undefined;
  // While the bank is processing, a lost answer does not matter.
  const error = waiting && !isFinal(query.error) ? null : query.error;

  const ended = Boolean(result) || isOver(error);
  useEffect(() => {
    if (ended) forgetPayment();
  }, [ended]);

  return { result, waiting, error, busy: isFetching, retry: () => void refetch() };
}

function isNotYet(answer: object): answer is NotYetResponse {
  return 'status' in answer;
}

/** Whether asking again would get the same answer. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && !mayPass(error);
}
