import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ERROR_CODES } from '@proveklar/contract/error-codes.ts';
import { ApiError } from './api-error.ts';

const PASSWORD_REASONS = ['short', 'long', 'common', 'personal', 'policy'] as const;
const CHARACTER_KINDS = ['lowercase', 'uppercase', 'number', 'symbol'] as const;
const STATUSES = [400, 401, 402, 403, 404, 409, 429] as const;

/** The message for a failed call: by the API's stable code, else the API's own text. */
export function useErrorText() {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown): string => {
      if (!(error instanceof ApiError)) return t('error.text');
      if (error.status === 0) return t('error.network');
      const seconds = error.code === 'rate_limited' && Number(error.details.retry_after_s);
      if (seconds) return t('error.wait', { count: Math.ceil(seconds / 60) });
      if (error.code === 'password_refused') {
        const { reason, kinds, ...bounds } = error.details;
        const known = PASSWORD_REASONS.find((one) => one === reason);
        const missing = CHARACTER_KINDS.filter(
          (kind) => Array.isArray(kinds) && kinds.includes(kind),
        );
        const named = missing.map((kind) => t(`error.password.${kind}`)).join(', ');
        if (known) return t(`error.password.${known}`, { ...bounds, kinds: named });
      }
      const code = ERROR_CODES.find((known) => known === error.code);
      return code ? t(`error.code.${code}`) : error.message || t('error.text');
    },
    [t],
  );
}

/**
 * The "<status text>" of "Failed to <action>: <status text>", in the user's language. Learners get
 * `useStatusAdvice`, unless the message says itself what to do.
 */
export function useStatusText() {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown): string => {
      if (!(error instanceof ApiError) || error.status === 0) return t('error.status_network');
      const status = STATUSES.find((known) => known === error.status);
      return t(`error.status_${status ?? 500}`);
    },
    [t],
  );
}

/** The same, and a sentence that says what to do: "no contact with the service. Check your network, and try again." */
export function useStatusAdvice() {
  const { t } = useTranslation();
  const statusText = useStatusText();
  return useCallback(
    (error: unknown): string => `${statusText(error)}. ${t(`error.advice_${adviceFor(error)}`)}`,
    [statusText, t],
  );
}

function adviceFor(error: unknown): 'network' | 'sign_in' | 'access' | 'gone' | 'reload' | 'wait' {
  if (!(error instanceof ApiError) || error.status === 0) return 'network';
  if (error.status === 401) return 'sign_in';
  if (error.status === 402) return 'access';
  if (error.status === 404) return 'gone';
  return error.status === 429 || error.status >= 500 ? 'wait' : 'reload';
}
