import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { Stripe } from '@stripe/stripe-js';
// The plain entry would load the provider's script on import, before anybody wants to pay.
import { loadStripe } from '@stripe/stripe-js/pure';

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`Could not load ${src}`));
    });
    document.head.append(script);
  });
}

const loading = new Map<string, Promise<Stripe>>();

/** The card provider in the given language; each is loaded once, and again after a failure. */
export function loadCardProvider(
  settings: ConfigResponse['stripe'],
  locale: 'nb' | 'en',
): Promise<Stripe> {
  const key = `${settings.publishable_key} ${locale}`;
  let provider = loading.get(key);
  if (!provider) {
    provider = load(settings, locale);
    loading.set(key, provider);
    provider.catch(() => loading.delete(key));
  }
  return provider;
}

async function load(settings: ConfigResponse['stripe'], locale: 'nb' | 'en'): Promise<Stripe> {
  // A stand-in that is there first is taken by loadStripe, which then loads nothing itself.
  if (settings.script_url && !('Stripe' in window)) await loadScript(settings.script_url);
  const stripe = await loadStripe(settings.publishable_key, { locale });
  if (!stripe) throw new Error('The card provider is not available');
  return stripe;
}
