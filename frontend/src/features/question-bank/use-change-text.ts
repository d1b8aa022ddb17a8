import type { QuestionChange } from '@proveklar/contract/questions.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';

/** A change of many questions as a sentence: what is being done, or was. */
export function useChangeText() {
  const { t, i18n } = useTranslation('admin');
  return useCallback(
    ({ action, state, total, changed, topic }: QuestionChange): string => {
      const running = state === 'running';
      const count = running ? total : changed;
      const n = formatCount(count, i18n.language);
      const values = { count, n, topic: topic ?? '' };
      if (state === 'undoing') return t('questions.change.undoing', values);
      if (state === 'undone') return t(`questions.change.undone.${action}`, values);
      return running
        ? t(`questions.change.running.${action}`, values)
        : t(`questions.change.done.${action}`, values);
    },
    [t, i18n],
  );
}
