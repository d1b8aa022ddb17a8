import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

const NUMBERED = ['incorrect', 'incorrect_reasons', 'tags', 'excludes', 'areas'] as const;
/** The fields of a row, as the file names them. */
export const REQUIRED_FIELDS = ['language', 'topic', 'question', 'answer', 'incorrect'] as const;
export const OPTIONAL_FIELDS = [
  'incorrect_reasons',
  'explanation',
  'source_url',
  'source_title',
  'checked_at',
  'valid_from',
  'ages',
  'group',
  'excludes',
  'tags',
  'image',
  'image_alt',
  'areas',
  'uuid',
] as const;
const PLAIN = [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS];

/** The name of a field of a row: `incorrect.1` and the column `incorrect_2` → "Galt svar 2"; unknown ones stay. */
export function useFieldName(): (field: string) => string {
  const { t } = useTranslation('admin');
  return useCallback(
    (field) => {
      const [, column, number] = /^(incorrect|incorrect_reason)_(\d)$/.exec(field) ?? [];
      const path = column ? `${column.replace('reason', 'reasons')}.${Number(number) - 1}` : field;
      const [name, place] = path.split('.');
      const numbered = NUMBERED.find((known) => known === name);
      if (numbered && /^\d+$/.test(place ?? '')) {
        return t(`import.field_name.${numbered}_one`, { number: Number(place) + 1 });
      }
      const plain = PLAIN.find((known) => known === name);
      return plain ? t(`import.field_name.${plain}`) : field;
    },
    [t],
  );
}
