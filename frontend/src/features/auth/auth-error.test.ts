import { expect, test } from 'vitest';
import { authErrorText } from './auth-error.ts';

test('error codes of the identity provider get our texts', () => {
  const error = (code: string) => Object.assign(new Error('x'), { code });
  expect(authErrorText(error('auth/wrong-password'))).toBe('wrong_credentials');
  expect(authErrorText(error('auth/invalid-credential'))).toBe('wrong_credentials');
  expect(authErrorText(error('auth/too-many-requests'))).toBe('too_many_requests');
  expect(authErrorText(error('auth/something-new'))).toBe('unknown');
  expect(authErrorText('no error at all')).toBe('unknown');
});
