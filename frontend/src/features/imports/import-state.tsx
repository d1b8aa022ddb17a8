import { Tag } from '@digdir/designsystemet-react';
import type { Import, ImportState } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';

/** Whether the import is being worked on, so that its data changes. */
export function isRunning(state: ImportState): boolean {
  return state === 'receiving' || state === 'processing' || state === 'undoing';
}

/** Whether its file is being read, or waits for its sender, so that its progress is shown. */
export function isReading(state: ImportState): boolean {
  return state === 'receiving' || state === 'processing' || state === 'paused';
}

/** Whether it ended without importing anything. */
export function keepsNothing(state: ImportState): boolean {
  return ['refused', 'cancelled', 'discarded', 'failed'].includes(state);
}

/** Whether some of its rows still have to be removed. */
export function isBeingCleared(one: Pick<Import, 'state' | 'is_removed'>): boolean {
  return keepsNothing(one.state) && !one.is_removed;
}

/** Whether its near-duplicates are still being searched. */
export function isSearched({ near_duplicates: search }: Pick<Import, 'near_duplicates'>): boolean {
  return search?.state === 'waiting' || search?.state === 'searching';
}

type Color = 'info' | 'success' | 'warning' | 'danger' | 'neutral';

const STATE_COLORS: Record<ImportState, Color> = {
  receiving: 'info',
  processing: 'info',
  paused: 'warning',
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

/** A gateway of the previous version does not return it. */
export const notOfferedOf = (one: Import): Import['not_offered'] =>
  (one as Partial<Import>).not_offered ?? [];

/** Imported questions in languages that are not offered to learners. */
export const countNotOffered = (one: Import): number =>
  notOfferedOf(one).reduce((sum, { questions }) => sum + questions, 0);
