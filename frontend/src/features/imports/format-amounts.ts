import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import * as compact from '#lib/format-compact.ts';

/** 1234567 → "1 234 567"; "1,234,567" in the English version. */
export function formatCount(count: number): string {
  return compact.formatCount(Math.round(count), currentLanguage());
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Bytes → "12,3 MB"; "12.3 MB" in the English version. In powers of 1000 as in current file managers. */
export function formatBytes(bytes: number): string {
  let power = 0;
  let value = bytes;
  while (value >= 1000 && power < UNITS.length - 1) {
    value /= 1000;
    power += 1;
  }
  const maximumFractionDigits = power > 1 && value < 100 ? 1 : 0;
  const style = { style: 'unit', unit: UNITS[power]!, unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(compact.localeOf(currentLanguage()), {
    ...style,
    maximumFractionDigits,
  }).format(value);
}

interface Duration {
  unit: 'seconds' | 'minutes' | 'hours';
  hours: number;
  minutes: number;
  seconds: number;
}

/** Seconds in the one or two largest units; never 0 seconds. */
export function durationOf(seconds: number): Duration {
  const total = Math.max(1, Math.round(seconds));
  const parts = {
    hours: Math.floor(total / 3600),
    minutes: Math.floor((total % 3600) / 60),
    seconds: total % 60,
  };
  return { unit: total < 60 ? 'seconds' : total < 3600 ? 'minutes' : 'hours', ...parts };
}

/** The values for a text with a plural: the number that selects the form, and the formatted number. */
export function counted(count: number): { count: number; number: string } {
  return { count, number: formatCount(count) };
}

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
