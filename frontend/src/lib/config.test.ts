import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { configQuery } from './config.ts';

test('the session gets the settings although the part of the page that read them first is gone', async () => {
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit = {}) => {
    signal?.addEventListener('abort', () => response.reject(signal.reason));
    return response.promise;
  });
  const queryClient = new QueryClient();
  const leave = new QueryObserver(queryClient, configQuery).subscribe(() => {});
  const settings = queryClient.ensureQueryData(configQuery);
  leave();
  response.resolve(Response.json({ price: 149 }));
  expect(await settings).toEqual({ price: 149 });
});
