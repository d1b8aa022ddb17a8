import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

/** The way to where the question is mended. */
export function EditLink({ question: { id, question } }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const text = t('feedback.edit');
  return (
    <ButtonLink
      to="/admin/dashboard/questions/$id"
      params={{ id: String(id) }}
      data-size="sm"
      aria-label={`${text}: ${question}`}
    >
      {text}
    </ButtonLink>
  );
}
