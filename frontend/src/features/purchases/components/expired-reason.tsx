import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { purchasesQuery } from '../api.ts';
import { disputedPurchases } from '../purchase-state.ts';

/** In one sentence why access has ended: a complaint to the bank, or else `children`. */
export function ExpiredReason({ children }: { children: ReactNode }) {
  const { t } = useTranslation('purchase');
  const { data } = useQuery(purchasesQuery);
  const [newest] = disputedPurchases(data?.payments ?? []);
  if (!newest) return children;
  return t(newest.dispute === 'open' ? 'notices.open_summary' : 'notices.lost_summary');
}
