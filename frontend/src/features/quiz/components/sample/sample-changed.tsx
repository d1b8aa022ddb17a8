import type { SampleResponse } from '@proveklar/contract/quiz.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { MessagePage } from '#components/message-page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useStatusText } from '#lib/error-text.ts';

type SampleChangedProps = {
  read: () => Promise<SampleResponse>;
  onRead: (sample: SampleResponse) => void;
};

/** A question was taken out of the sample while somebody was at it. */
export function SampleChanged({ read, onRead }: SampleChangedProps) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const renew = useMutation({ mutationFn: read, onSuccess: onRead });
  return (
    <MessagePage title={t('sample.changed_title')} text={t('sample.changed_text')}>
      {renew.error && (
        <RetryAlert>{t('quiz.failed.questions', { status: statusText(renew.error) })}</RetryAlert>
      )}
      <BusyButton busy={renew.isPending} onClick={() => renew.mutate()}>
        {t('quiz.continue')}
      </BusyButton>
    </MessagePage>
  );
}
