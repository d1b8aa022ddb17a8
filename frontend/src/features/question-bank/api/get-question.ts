import type { BankQuestion, QuestionVersionsResponse } from '@proveklar/contract/questions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { questionKeys } from '../keys.ts';

/** A question by its id or uuid. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.one(id),
    queryFn: ({ signal }) =>
      api<BankQuestion>(`/questions/${encodeURIComponent(id)}`, { signedIn: true, signal }),
  });

/** What it is and was, the newest version first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.versions(id),
    queryFn: async ({ signal }) => {
      const path = `/questions/${encodeURIComponent(id)}/versions`;
      const { versions } = await api<QuestionVersionsResponse>(path, { signedIn: true, signal });
      return versions;
    },
  });
