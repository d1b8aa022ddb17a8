import type { StripeElementStyle } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

/**
 * The card fields live in the provider's frame, where our style sheets do not reach: what is typed
 * there follows the device when it turns dark or light, as the card around it does.
 */
export function useCardStyle(): StripeElementStyle {
  const [style, setStyle] = useState(readCardStyle);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setStyle(readCardStyle());
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  return style;
}

function readCardStyle(): StripeElementStyle {
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
}
