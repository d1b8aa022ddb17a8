import type {
  ChoosePasswordRequest,
  ForgotPasswordRequest,
  PasswordLinkResponse,
} from '@proveklar/contract/password.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

/** Mails a link to choose a password, if the address has a user. Safe to retry. */
export function forgotPassword(body: ForgotPasswordRequest): Promise<{ ok: true }> {
  return api('/password/forgot', { method: 'POST', body });
}

/** The address of a mailed link. Fails with `password_link_invalid`. */
export const passwordLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-link', token],
    queryFn: ({ signal }): Promise<PasswordLinkResponse> =>
      api('/password/link', { method: 'POST', body: { token }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  });

/** Chooses a password by a mailed link, and ends all sessions. */
export function choosePassword(body: ChoosePasswordRequest): Promise<PasswordLinkResponse> {
  return api('/password/choose', { method: 'POST', body });
}
