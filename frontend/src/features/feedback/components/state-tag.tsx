import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { Tag } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

const COLOURS = { open: 'warning', fixed: 'success', dismissed: 'neutral' } as const;

export function StateTag({ state }: Pick<ReportedQuestion, 'state'>) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-color={COLOURS[state]} data-size="sm">
      {t(`feedback.state.${state}`)}
    </Tag>
  );
}
