import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { type Finding, ok, unchecked, warning } from '#status/finding.ts';
import type { Check, Installation } from './installation.ts';

const TIMEOUT_MS = 5_000;
const RENEW_WITHIN_DAYS = 30;

/** The public address, and the proxy in front of the gateway. */
export const web: Check = {
  name: 'Web',
  async run(installation) {
    const { PUBLIC_URL: url } = installation.config;
    if (!url) return [unchecked('PUBLIC_URL is not set')];
    const reachable = await checkAddress(url);
    const contact =
      reachable.level === 'ok' && installation.isProduction ? await checkSecurityTxt(url) : [];
    return [reachable, ...contact, ...checkTrustedProxies(installation)];
  },
};

async function checkAddress(url: string): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
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
      'Start the gateway (locally: npm start) and the proxy, or open the address from outside if this host cannot reach it.',
    );
  }
}

/** security.txt: gateways write it when they start, valid for 300 days. */
async function checkSecurityTxt(url: string): Promise<Finding[]> {
  const path = '/.well-known/security.txt';
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  const text = response?.ok ? await response.text() : '';
  const [, date = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
  const days = (Date.parse(date) - Date.now()) / 86_400_000;
  if (!/^Contact: \S/m.test(text) || Number.isNaN(days)) {
    return [
      warning(
        `${url}${path} has no contact for security reports`,
        'Let the proxy pass it to the gateway, which serves it with the pages (FRONTEND_DIR).',
      ),
    ];
  }
  if (days < RENEW_WITHIN_DAYS) {
    return [
      warning(
        `${url}${path} expires in ${Math.floor(days)} days`,
        'Check that its contact is still read, then restart the gateways: that renews it.',
      ),
    ];
  }
  return [];
}

function checkTrustedProxies({ config, isProduction }: Installation): Finding[] {
  const { TRUSTED_PROXIES: trustedProxies } = config;
  if (trustedProxies) return [ok(`X-Forwarded-For is trusted from ${trustedProxies}`)];
  if (!isProduction) return [];
  return [
    warning(
      'TRUSTED_PROXIES is empty: all learners behind the proxy count as one address',
      'Set TRUSTED_PROXIES to the address of the proxy, as the gateway sees it.',
    ),
  ];
}
