import type { InviteMemberRequest, MembersResponse } from '@proveklar/contract/roles.ts';
import type {
  ExamProfile,
  ExamProfileRequest,
  ExamProfilesResponse,
  LanguagesResponse,
  SettingsRequest,
  SettingsResponse,
} from '@proveklar/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export const settingsKeys = {
  all: ['admin', 'settings'] as const,
  current: ['admin', 'settings', 'current'] as const,
  languages: ['admin', 'settings', 'languages'] as const,
  members: ['admin', 'settings', 'members'] as const,
  examProfiles: ['admin', 'settings', 'exam-profiles'] as const,
};

export const examProfilesQuery = queryOptions({
  queryKey: settingsKeys.examProfiles,
  queryFn: ({ signal }) =>
    api<ExamProfilesResponse>('/admin/exam-profiles', { signedIn: true, signal }),
});

export const settingsQuery = queryOptions({
  queryKey: settingsKeys.current,
  queryFn: ({ signal }) => api<SettingsResponse>('/admin/settings', { signedIn: true, signal }),
});

/** The languages of the question bank, and whether learners are offered them. */
export const languagesQuery = queryOptions({
  queryKey: settingsKeys.languages,
  queryFn: ({ signal }) => api<LanguagesResponse>('/admin/languages', { signedIn: true, signal }),
});

/** Who works in the portal. */
export const membersQuery = queryOptions({
  queryKey: settingsKeys.members,
  queryFn: ({ signal }) => api<MembersResponse>('/admin/members', { signedIn: true, signal }),
});

/** Gives a person a role, or another one. Safe to send again. */
export function inviteMember(body: InviteMemberRequest): Promise<MembersResponse> {
  return api('/admin/members', { method: 'POST', body, signedIn: true });
}

/** Takes a role away. Safe to send again. */
export function withdrawMember(id: number): Promise<MembersResponse> {
  return api(`/admin/members/${id}`, { method: 'DELETE', signedIn: true });
}

/** Offers a language to learners, or withdraws it. Safe to send again. */
export function offerLanguage(code: string, offered: boolean): Promise<LanguagesResponse> {
  const path = `/admin/languages/${encodeURIComponent(code)}`;
  return api(path, { method: 'PUT', body: { offered }, signedIn: true });
}

export function updateExamProfile(
  name: ExamProfile['name'],
  figures: ExamProfileRequest,
): Promise<ExamProfile> {
  return api(`/admin/exam-profiles/${name}`, { method: 'PUT', body: figures, signedIn: true });
}

/** Changes the given settings; others stay as they are. */
export function updateSettings(changes: SettingsRequest): Promise<SettingsResponse> {
  return api('/admin/settings', { method: 'PUT', body: changes, signedIn: true });
}
