import type { SampleResponse } from '@proveklar/contract/quiz.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { MessagePage } from '#components/message-page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { useHeadingFocus } from '#lib/use-heading-focus.ts';
import { sampleQuery } from '../../api.ts';
import { type KeptSample, renewSample, withAnswer, writeSample } from '../../run/kept-sample.ts';
import { sampleSession } from '../../run/sample-session.ts';
import { type SampleSteps, useSample } from '../../run/use-sample.ts';
import { QuizRun } from '../../run.tsx';
import { SampleResult } from './sample-result.tsx';

type SampleGoProps = {
  /** New, or what this tab kept of it. */
  begun: KeptSample;
  onAgain: () => void;
};

/** One go at the sample: the questions, then the result. */
export function SampleGo({ begun, onAgain }: SampleGoProps) {
  const [kept, setKept] = useState(begun);
  const [changed, setChanged] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => writeSample(kept), [kept]);
  useHeadingFocus(changed ? 'changed' : kept.ended ? 'result' : 'run');

  if (changed) {
    const language = kept.questions[0]?.language === 'en' ? 'en' : 'no';
    return (
      <SampleChanged
        read={() => queryClient.fetchQuery({ ...sampleQuery(language), staleTime: 0 })}
        onRead={({ questions }) => {
          if (questions.length === 0) return onAgain();
          setKept(renewSample(kept, questions));
          setChanged(false);
          return undefined;
        }}
      />
    );
  }
  if (kept.ended) return <SampleResult kept={kept} onAgain={onAgain} />;
  return (
    <SampleRun
      key={kept.id}
      kept={kept}
      onAnswer={(given, result) => setKept((before) => withAnswer(before, given, result))}
      onEnd={() => {
        setKept((before) => ({ ...before, ended: true }));
        // No navigation, which would do that: the result begins at its top.
        window.scrollTo({ top: 0 });
      }}
      onChanged={() => setChanged(true)}
    />
  );
}

type SampleChangedProps = {
  read: () => Promise<SampleResponse>;
  onRead: (sample: SampleResponse) => void;
};

/** A question was taken out of the sample while somebody was at it. */
function SampleChanged({ read, onRead }: SampleChangedProps) {
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

function SampleRun({ kept, ...steps }: SampleSteps & { kept: KeptSample }) {
  const { t } = useTranslation('learner');
  const quiz = useSample(steps);
  return <QuizRun session={sampleSession(kept, t('sample.title'))} quiz={quiz} />;
}
