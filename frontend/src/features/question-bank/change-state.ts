import type { QuestionChange } from '@proveklar/contract/questions.ts';

export function isUnderWay({ state }: QuestionChange): boolean {
  return state === 'running' || state === 'undoing';
}

/** Whether there is anything that could be taken back. */
export function canUndo({ state, changed }: QuestionChange): boolean {
  return (state === 'completed' || state === 'cancelled') && changed > 0;
}
