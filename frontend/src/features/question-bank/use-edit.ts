import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { ApiError } from '#lib/api-error.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { createQuestion, editQuestion } from './api.ts';
import {
  changedFields,
  type Draft,
  type Faults,
  faultsOf,
  readFaults,
  toCreateRequest,
  toDraft,
  toRequest,
} from './draft.ts';

/** The state of a form with the content of a question. */
export interface Edit {
  draft: Draft;
  /** What the form began with. */
  stored: Draft;
  faults: Faults;
  isDirty: boolean;
  saving: { isPending: boolean; isError: boolean; error: Error | null };
  /** The newer version that another editor has saved. */
  conflict: BankQuestion | undefined;
  /** The id of the other question that has this text. */
  duplicate: number | undefined;
  set: (fields: Partial<Draft>) => void;
  save: () => void;
  /** Discards the typed texts. The form shows the stored question, or the newer one. */
  discard: (newer?: BankQuestion) => void;
  /** Goes on from a newer version, with these texts in the form. */
  rebase: (newer: BankQuestion, draft: Draft) => void;
}

/**
 * Editing a stored question: typed texts are not lost when another editor changes it.
 */
export function useEdit(question: BankQuestion): Edit & {
  /** Saves, and calls back with what was saved; at once if nothing was changed. */
  saveThen: (onSaved: (saved: BankQuestion) => void) => void;
} {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [base, setBase] = useState(question);
  const [draft, setDraft] = useState(() => toDraft(question));
  const [found, setFound] = useState<Faults>({});
  const stored = toDraft(base);
  const isDirty = changedFields(draft, stored).length > 0;
  const saving = useMutation({
    mutationFn: () => editQuestion(base.id, toRequest(draft, base)),
    onSuccess: (saved) => {
      startFrom(saved);
      notify(t('questions.notice.saved', { id: saved.id }));
      return refreshQuestions(queryClient);
    },
    onError: (error) => setFound(faultsIn(error)),
  });

  function startFrom(newer: BankQuestion, texts = toDraft(newer)) {
    setBase(newer);
    setDraft(texts);
    setFound({});
    saving.reset();
  }
  // The question was changed elsewhere; without typed changes, the form follows.
  const isNewer = question.revision > base.revision || question.version > base.version;
  if (isNewer && !isDirty && !saving.isPending) {
    setBase(question);
    setDraft(toDraft(question));
  }

  function saveThen(onSaved?: (saved: BankQuestion) => void) {
    const faults = faultsOf(draft);
    setFound(faults);
    if (Object.keys(faults).length > 0) saving.reset();
    else if (!isDirty) onSaved?.(base);
    else saving.mutate(undefined, { onSuccess: (saved) => onSaved?.(saved) });
  }
  return {
    draft,
    stored,
    faults: found,
    isDirty,
    saving,
    // Shown as soon as the page knows, not only when saving fails.
    conflict: conflictIn(saving.error) ?? (isNewer && isDirty ? question : undefined),
    duplicate: duplicateIn(saving.error),
    set: (fields) => setDraft((before) => ({ ...before, ...fields })),
    save: () => saveThen(),
    saveThen,
    discard: (newer = isNewer ? question : base) => startFrom(newer),
    rebase: startFrom,
  };
}

interface NewQuestionOptions {
  /** The texts that the form begins with. */
  begin: Draft;
  language: string;
  /** The question that it translates, or that it began as a copy of. */
  of?: { id: number; isTranslation: boolean } | undefined;
}

/** Writing a question that the bank does not have yet. */
export function useNewQuestion({ begin, language, of }: NewQuestionOptions): Edit & {
  /** The question, once it is saved. */
  created: BankQuestion | undefined;
} {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(begin);
  const [found, setFound] = useState<Faults>({});
  const saving = useMutation({
    mutationFn: () => createQuestion(toCreateRequest(draft, language, of)),
    onSuccess: ({ id }) => {
      notify(t('questions.notice.created', { id }));
      // Not awaited: the page of the question reads what it needs.
      void refreshQuestions(queryClient);
    },
    onError: (error) => setFound(faultsIn(error)),
  });
  return {
    draft,
    stored: begin,
    faults: found,
    isDirty: changedFields(draft, begin).length > 0,
    created: saving.data,
    saving,
    conflict: undefined,
    duplicate: duplicateIn(saving.error),
    set: (fields) => setDraft((before) => ({ ...before, ...fields })),
    save() {
      const faults = faultsOf(draft);
      setFound(faults);
      if (Object.keys(faults).length === 0) saving.mutate();
      else saving.reset();
    },
    discard: () => setDraft(begin),
    rebase: (_newer, texts) => setDraft(texts),
  };
}

/** The newer version that another editor has saved, if the edit began with an older one. */
function conflictIn(error: unknown): BankQuestion | undefined {
  if (!(error instanceof ApiError) || error.code !== 'question_changed') return undefined;
  return error.details.question as BankQuestion | undefined;
}

/** The other question that has this text, or that is this translation. */
function duplicateIn(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'question_duplicate') return undefined;
  return typeof error.details.question_id === 'number' ? error.details.question_id : undefined;
}

function faultsIn(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'question_duplicate') {
    return error.details.field === 'question' ? { question: 'duplicate' } : {};
  }
  return error.code === 'validation_failed' ? readFaults(error.details) : {};
}
