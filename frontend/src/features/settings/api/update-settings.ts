import type { SettingsRequest, SettingsResponse } from '@proveklar/contract/settings.ts';
import { api } from '#lib/api-client.ts';

/** Changes what is given; whatever is left out stays as it is. */
export function updateSettings(changes: SettingsRequest): Promise<SettingsResponse> {
  return api('/admin/settings', { method: 'PUT', body: changes, signedIn: true });
}
