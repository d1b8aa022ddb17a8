import '#theme/components.css';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { MessagePage } from '#components/page.tsx';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';

/**
 * The page behind the link in a reminder. It asks before it stops them, because scanners of mails open links
 * too. It works without signing in.
 */
export function StopRemindersPage() {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const { token } = useSearch({ from: '/paminnelser' });
  const stop = useMutation({
    mutationFn: () =>
      api<{ ok: true }>(`/learning/reminders/stop?token=${encodeURIComponent(token ?? '')}`, {
        method: 'POST',
      }),
  });
  const isInvalid =
    token === undefined ||
    (stop.error instanceof ApiError && [400, 404].includes(stop.error.status));
  const home = <ButtonLink to="/quiz">{t('translation:actions.to_quiz_home')}</ButtonLink>;
  if (stop.isSuccess || isInvalid) {
    const state = stop.isSuccess ? 'done' : 'invalid';
    return (
      <MessagePage
        role="alert"
        title={t(`stop_reminders.${state}_title`)}
        text={t(`stop_reminders.${state}_text`)}
      >
        {home}
      </MessagePage>
    );
  }
  return (
    <MessagePage title={t('translation:reminders.title')} text={t('stop_reminders.text')}>
      <FormAlert>{stop.error && errorText(stop.error)}</FormAlert>
      <BusyButton busy={stop.isPending} onClick={() => stop.mutate()}>
        {t('stop_reminders.stop')}
      </BusyButton>
    </MessagePage>
  );
}
