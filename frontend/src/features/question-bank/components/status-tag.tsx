import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Tag } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

/** Whether quizzes draw it: validated, pending, or retired. */
export function StatusTag({ question }: { question: BankQuestion }) {
  const { t } = useTranslation('admin');
  const state = question.retired_at ? 'retired' : question.validated ? 'validated' : 'pending';
  const color = { retired: 'neutral', validated: 'success', pending: 'warning' } as const;
  return (
    <Tag data-size="sm" data-color={color[state]}>
      {t(`questions.status.${state}`)}
    </Tag>
  );
}
