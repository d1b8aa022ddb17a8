import type { StripeElementStyle } from '@stripe/stripe-js';
import { useMemo } from 'react';

/** The card fields live in the provider's frame, where our style sheets do not reach. */
export function useCardStyle(): StripeElementStyle {
  return useMemo(() => {
    const tokens = getComputedStyle(document.body);
    const token = (name: string) => tokens.getPropertyValue(name).trim();
    return {
      base: {
        fontSize: '16px',
        fontFamily: 'Inter, system-ui, sans-serif',
        color: token('--ds-color-neutral-text-default'),
        iconColor: token('--ds-color-primary-text-subtle'),
        '::placeholder': { color: token('--ds-color-neutral-text-subtle') },
      },
      invalid: {
        color: token('--ds-color-danger-text-default'),
        iconColor: token('--ds-color-danger-text-subtle'),
      },
    };
  }, []);
}
