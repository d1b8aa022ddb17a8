import { Alert } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { presenceQuery } from './api.ts';

/** Says who else has this question open, and whether they are writing. A failure says nothing. */
export function Presence({ id, writing }: { id: number; writing: boolean }) {
  const { t } = useTranslation('admin');
  const { data: others = [] } = useQuery(presenceQuery(id, writing));
  return (
    <div role="status">
      {others.length > 0 && (
        <Alert data-color={others.some((one) => one.writing) ? 'warning' : 'info'} data-size="sm">
          {others.map(({ email, writing: isWriting }) => (
            <p key={email}>
              {t(isWriting ? 'questions.presence.writing' : 'questions.presence.reading', {
                email,
              })}
            </p>
          ))}
        </Alert>
      )}
    </div>
  );
}
