import type { AppLanguage } from '@proveklar/contract/language.ts';
import type {
  AudienceResponse,
  ChangeMessageRequest,
  Message,
  MessageContent,
  MessagePreview,
  MessagesResponse,
} from '@proveklar/contract/messages.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export const messagesKeys = {
  all: ['admin', 'messages'] as const,
  one: (id: string) => [...messagesKeys.all, 'one', id] as const,
};

/** The messages to learners, the newest first, 20 at a time. */
export const messagesQuery = infiniteQueryOptions({
  queryKey: [...messagesKeys.all, 'list'],
  queryFn: ({ pageParam, signal }) =>
    api<MessagesResponse>(`/admin/messages${pageParam && `?before=${pageParam}`}`, {
      signedIn: true,
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: ({ next_before }) => next_before,
});

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: messagesKeys.one(id),
    queryFn: ({ signal }) =>
      api<Message>(`/admin/messages/${encodeURIComponent(id)}`, { signedIn: true, signal }),
  });
}

/** How many learners a message would reach. */
export function audienceQuery(
  content: Pick<MessageContent, 'kind' | 'audience'> & { languages: AppLanguage[] },
) {
  const { kind, audience, languages } = content;
  const parameters = new URLSearchParams({ kind, audience, languages: languages.join(',') });
  return queryOptions({
    queryKey: [...messagesKeys.all, 'audience', kind, audience, languages],
    queryFn: ({ signal }) =>
      api<AudienceResponse>(`/admin/messages/audience?${parameters.toString()}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: languages.length > 0,
  });
}

/** The mail of a message, as plain text. */
export function previewQuery({ id, revision }: Message, language: AppLanguage) {
  return queryOptions({
    // Not below `messagesKeys`: its counts change all the time, and the mail does not.
    queryKey: ['admin', 'message-preview', id, revision, language],
    queryFn: ({ signal }) =>
      api<MessagePreview>(`/admin/messages/${id}/preview?language=${language}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function createMessage(body: MessageContent): Promise<Message> {
  return api('/admin/messages', { method: 'POST', body, signedIn: true });
}

/** Replaces a draft; 409 `message_changed` if it was changed meanwhile. */
export function changeMessage(id: string, body: ChangeMessageRequest): Promise<Message> {
  return api(`/admin/messages/${id}`, { method: 'PUT', body, signedIn: true });
}

export function deleteMessage(id: string): Promise<{ ok: true }> {
  return api(`/admin/messages/${id}`, { method: 'DELETE', signedIn: true });
}

/** Mails the saved draft to who is signed in. */
export function testMessage(id: string): Promise<{ ok: true }> {
  return api(`/admin/messages/${id}/test`, { method: 'POST', signedIn: true });
}

/** Sends a tested message, or goes on after it was stopped. */
export function startMessage(id: string): Promise<Message> {
  return api(`/admin/messages/${id}/start`, { method: 'POST', signedIn: true });
}

export function stopMessage(id: string): Promise<Message> {
  return api(`/admin/messages/${id}/stop`, { method: 'POST', signedIn: true });
}
