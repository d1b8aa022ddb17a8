import { Tag } from '@digdir/designsystemet-react';
import type { Import, ImportState } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';

/** Something is being done, so that what is known of it changes. */
export function isRunning(state: ImportState): boolean {
  return state === 'receiving' || state === 'processing' || state === 'undoing';
}

/** Its file is read: the rest of it, and how long that takes, is of interest. */
export function isReading(state: ImportState): boolean {
  return state === 'receiving' || state === 'processing';
}

/** It ended, and nothing of it is in the bank. */
export function keepsNothing(state: ImportState): boolean {
  return ['refused', 'cancelled', 'discarded', 'failed'].includes(state);
}

/** Some of its rows still have to be cleared away. */
export function isBeingCleared(one: Pick<Import, 'state' | 'is_removed'>): boolean {
  return keepsNothing(one.state) && !one.is_removed;
}

/** Its questions are still compared with the others. */
export function isSearched({ near_duplicates: search }: Pick<Import, 'near_duplicates'>): boolean {
  return search?.state === 'waiting' || search?.state === 'searching';
}

type Color = 'info' | 'success' | 'warning' | 'danger' | 'neutral';

const STATE_COLORS: Record<ImportState, Color> = {
  receiving: 'info',
  processing: 'info',
  checked: 'warning',
  completed: 'success',
  refused: 'danger',
  cancelled: 'neutral',
  discarded: 'neutral',
  failed: 'danger',
  undoing: 'info',
  undone: 'neutral',
};

export function StateTag({ state }: { state: ImportState }) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-size="sm" data-color={STATE_COLORS[state]}>
      {t(`import.state.${state}`)}
    </Tag>
  );
}

/** A gateway of the version before does not say. */
export const notOfferedOf = (one: Import): Import['not_offered'] =>
  (one as Partial<Import>).not_offered ?? [];

/** Questions that went in although learners are not offered their language. */
export const countNotOffered = (one: Import): number =>
  notOfferedOf(one).reduce((sum, { questions }) => sum + questions, 0);
