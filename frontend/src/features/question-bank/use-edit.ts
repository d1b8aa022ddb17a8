import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { ApiError } from '#lib/api-error.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { editQuestion } from './api.ts';
import {
  changedFields,
  type Draft,
  type Faults,
  faultsOf,
  readFaults,
  toDraft,
  toRequest,
} from './draft.ts';

/** What somebody else saved meanwhile, when an edit began with an older version. */
function conflictIn(error: unknown): BankQuestion | undefined {
  if (!(error instanceof ApiError) || error.code !== 'question_changed') return undefined;
  return error.details.question as BankQuestion | undefined;
}

/** The other question that has this text. */
function duplicateIn(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'question_duplicate') return undefined;
  return typeof error.details.question_id === 'number' ? error.details.question_id : undefined;
}

function faultsIn(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'question_duplicate') return { question: 'duplicate' };
  return error.code === 'validation_failed' ? readFaults(error.details) : {};
}

/** An edit of a question: nothing that was typed is lost to somebody else's change. */
export function useEdit(question: BankQuestion) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [base, setBase] = useState(question);
  const [draft, setDraft] = useState(() => toDraft(question));
  const [found, setFound] = useState<Faults>({});
  const stored = toDraft(base);
  const changed = changedFields(draft, stored);
  const saving = useMutation({
    mutationFn: (version: number) => editQuestion(base.id, toRequest(draft, version)),
    onSuccess: (saved) => {
      startFrom(saved);
      notify(t('questions.notice.saved', { id: saved.id }));
      return refreshQuestions(queryClient);
    },
    onError: (error) => setFound(faultsIn(error)),
  });

  function startFrom(newer: BankQuestion) {
    setBase(newer);
    setDraft(toDraft(newer));
    setFound({});
    saving.reset();
  }
  // Changed elsewhere, and nothing typed here: the form follows.
  const isOther = question.version !== base.version || question.updated_at !== base.updated_at;
  if (isOther && changed.length === 0 && !saving.isPending) {
    setBase(question);
    setDraft(toDraft(question));
  }

  function save(version = base.version) {
    const faults = faultsOf(draft);
    setFound(faults);
    if (Object.keys(faults).length === 0) saving.mutate(version);
    else saving.reset();
  }
  return {
    draft,
    stored,
    changed,
    faults: found,
    isDirty: changed.length > 0,
    saving,
    conflict: conflictIn(saving.error),
    duplicate: duplicateIn(saving.error),
    set: (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields })),
    save,
    /** Leaves what was typed: the form has what is stored. */
    discard: (newer = base) => startFrom(newer),
  };
}
export type Edit = ReturnType<typeof useEdit>;
