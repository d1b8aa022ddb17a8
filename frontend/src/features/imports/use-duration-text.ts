import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { durationOf } from './format-amounts.ts';

/** Seconds → "3 min 20 s". */
export function useDurationText(): (seconds: number) => string {
  const { t } = useTranslation('admin');
  return useCallback(
    (seconds) => {
      const { unit, ...parts } = durationOf(seconds);
      return t(`import.duration.${unit}`, parts);
    },
    [t],
  );
}
