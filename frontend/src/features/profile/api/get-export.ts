import { request } from '#lib/api-client.ts';

/** Everything that the service holds about the learner, as a file. Fails when it breaks off. */
export async function getExport(): Promise<Blob> {
  const response = await request('/account/export', { signedIn: true });
  return response.blob();
}
