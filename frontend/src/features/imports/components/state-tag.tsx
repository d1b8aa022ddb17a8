import { Tag } from '@digdir/designsystemet-react';
import type { ImportState } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { STATE_COLORS } from '../import-state.ts';

export function StateTag({ state }: { state: ImportState }) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-size="sm" data-color={STATE_COLORS[state]}>
      {t(`import.state.${state}`)}
    </Tag>
  );
}
