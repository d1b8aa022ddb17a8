import type { ReportedQuestion } from '@proveklar/gateway/contract/admin-feedback.ts';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';

const TO = '/admin/dashboard/questions/$id' as const;

/** The way to where the question is mended. */
export function EditLink({ question: { id, question } }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const { routesByPath } = useRouter();
  if (!(TO in routesByPath)) return null;
  const text = t('feedback.edit');
  const link = { to: TO, params: { id: String(id) } } as unknown as { to: '/admin/dashboard' };
  return (
    <ButtonLink {...link} data-size="sm" aria-label={`${text}: ${question}`}>
      {text}
    </ButtonLink>
  );
}
