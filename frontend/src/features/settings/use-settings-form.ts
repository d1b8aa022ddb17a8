import type { SettingsRequest, SettingsResponse } from '@proveklar/contract/settings.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { settingsKeys, updateSettings } from './api.ts';
import {
  changesOf,
  faultsOf,
  normalised,
  type SettingsDraft,
  type SettingsField,
  textsOf,
} from './settings-fields.ts';

/** Everything that the form of the settings knows: what is written, what is wrong, what is saved. */
export function useSettingsForm(settings: SettingsResponse) {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<SettingsDraft>({});
  const [faults, setFaults] = useState<SettingsField[]>([]);
  /** What was written in a field whose content was replaced. */
  const [replaced, setReplaced] = useState<SettingsDraft>({});
  const [asking, setAsking] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const changes = changesOf(draft, settings);

  const saving = useMutation({
    mutationFn: (wish: SettingsRequest) => updateSettings(wish),
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsKeys.current, saved);
      setDraft({});
      setReplaced({});
      setAsking(false);
      notify(t('settings.saved'));
      return queryClient.invalidateQueries({ queryKey: configQuery.queryKey });
    },
    onError: (error) => {
      const field = error instanceof ApiError ? error.details.field : undefined;
      const refused = Object.keys(changes).find((name) => name === field);
      if (refused) setFaults([refused as SettingsField]);
      setAsking(false);
    },
  });

  function write(part: SettingsDraft) {
    const fields = Object.keys(part);
    setDraft({ ...draft, ...part });
    setFaults(faults.filter((field) => !fields.includes(field)));
    setReplaced(without(replaced, fields));
    if (saving.isError) saving.reset();
  }

  /** @returns whether something had to be replaced */
  function normalise(): boolean {
    const becomes = normalised(draft, i18n.language);
    const fields = Object.keys(becomes) as SettingsField[];
    if (fields.length === 0) return false;
    setReplaced({ ...replaced, ...pick(draft, fields) });
    setDraft({ ...draft, ...becomes });
    return true;
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (saving.isPending || Object.keys(changes).length === 0) return;
    // Nothing is saved that has not been seen.
    if (normalise()) return;
    saving.reset();
    setAttempts(attempts + 1);
    const wrong = faultsOf(changes);
    setFaults(wrong);
    if (wrong.length > 0) return;
    if (changes.price === 0) setAsking(true);
    else saving.mutate(changes);
  }

  return {
    texts: { ...textsOf(settings, i18n.language), ...draft },
    changed: Object.keys(changes).length > 0,
    faults,
    replaced,
    saving,
    attempts,
    /** Whether to ask first: the service would become free. */
    asking,
    write,
    normalise,
    submit,
    discard: () => {
      setDraft({});
      setFaults([]);
      setReplaced({});
      saving.reset();
    },
    confirm: () => saving.mutate(changes),
    cancel: () => setAsking(false),
  };
}
export type SettingsFormState = ReturnType<typeof useSettingsForm>;

function pick(draft: SettingsDraft, fields: readonly SettingsField[]): SettingsDraft {
  return Object.fromEntries(fields.map((field) => [field, draft[field]]));
}

function without(draft: SettingsDraft, fields: readonly string[]): SettingsDraft {
  return Object.fromEntries(Object.entries(draft).filter(([field]) => !fields.includes(field)));
}
