import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { BusyButton } from './busy-button.tsx';
import { FormAlert } from './form-alert.tsx';
import { ButtonLink } from './link.tsx';
import { MessagePage } from './page.tsx';

type StopMailsPageProps = {
  /** The call that stops them, without its token. */
  path: string;
  /** From the link in the mail. */
  token: string | undefined;
  texts: {
    title: string;
    text: string;
    stop: string;
    done_title: string;
    done_text: string;
    invalid_title: string;
    invalid_text: string;
  };
};

/**
 * The page behind the link in a mail that the learner can stop. It asks before it stops them, because scanners of
 * mails open links too. It works without signing in.
 */
export function StopMailsPage({ path, token, texts }: StopMailsPageProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const stop = useMutation({
    mutationFn: () =>
      api<{ ok: true }>(`${path}?token=${encodeURIComponent(token ?? '')}`, { method: 'POST' }),
  });
  const isInvalid =
    token === undefined ||
    (stop.error instanceof ApiError && [400, 404].includes(stop.error.status));
  if (stop.isSuccess || isInvalid) {
    const state = stop.isSuccess ? 'done' : 'invalid';
    return (
      <MessagePage role="alert" title={texts[`${state}_title`]} text={texts[`${state}_text`]}>
        <ButtonLink to="/quiz">{t('actions.to_quiz_home')}</ButtonLink>
      </MessagePage>
    );
  }
  return (
    <MessagePage title={texts.title} text={texts.text}>
      <FormAlert>{stop.error && errorText(stop.error)}</FormAlert>
      <BusyButton busy={stop.isPending} onClick={() => stop.mutate()}>
        {texts.stop}
      </BusyButton>
    </MessagePage>
  );
}
