import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { MessagePage } from '#components/page.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { focusHeading } from '#lib/focus-heading.ts';

type ErrorScreenProps = ErrorComponentProps & {
  text?: string | undefined;
  /** Beside "Try again": a link, by default to the front page. */
  otherWay?: ReactNode;
};

/** Shown for an error that a page does not handle. "Try again" runs the page's loaders again. */
export function ErrorScreen({ error, reset, text, otherWay }: ErrorScreenProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const errorText = useErrorText();

  async function retry() {
    await router.invalidate();
    reset();
    // The focused button has disappeared.
    requestAnimationFrame(focusHeading);
  }

  return (
    <MessagePage
      title={t('error.title')}
      text={text ?? (error instanceof ApiError ? errorText(error) : t('error.text'))}
      role="alert"
    >
      <button type="button" className="ds-button" onClick={() => void retry()}>
        {t('actions.retry')}
      </button>
      {otherWay ?? (
        <ButtonLink to="/" variant="secondary">
          {t('actions.to_front_page')}
        </ButtonLink>
      )}
    </MessagePage>
  );
}
