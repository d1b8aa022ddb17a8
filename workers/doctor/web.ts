import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { ok, unchecked, warning, type Finding } from '@proveklar/services/operations/finding.ts';
import type { Check, Installation } from './installation.ts';

const PATIENCE_MS = 5_000;

/** The address that people type, and the proxy in front of the gateway. */
export const web: Check = {
  name: 'Web',
  async run(installation) {
    const { PUBLIC_URL: url } = installation.config;
    if (!url) return [unchecked('PUBLIC_URL is not set')];
    return [await answer(url), ...proxies(installation)];
  },
};

async function answer(url: string): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${url}/health/ready`, { signal, redirect: 'manual' });
    if (response.ok) return ok(`${url} answers`);
    return warning(
      `${url}/health/ready answers ${response.status}`,
      'Look at the logs of the gateway and of the proxy in front of it.',
    );
  } catch (error) {
    const reason = error instanceof Error && error.cause ? error.cause : error;
    return warning(
      `${url} does not answer from here: ${reasonOf(reason)}`,
      'Start the gateway (locally: npm start) and the proxy, or open the address from outside if this machine cannot reach it.',
    );
  }
}

function proxies({ config, isProduction }: Installation): Finding[] {
  const { TRUSTED_PROXIES: trustedProxies } = config;
  if (trustedProxies) return [ok(`forwarding headers are believed from ${trustedProxies}`)];
  if (!isProduction) return [];
  return [
    warning(
      'TRUSTED_PROXIES is empty: all learners behind the proxy count as one address',
      'Set TRUSTED_PROXIES to the address of the proxy, as the gateway sees it.',
    ),
  ];
}
