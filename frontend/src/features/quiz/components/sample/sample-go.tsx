import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHeadingFocus } from '#lib/use-heading-focus.ts';
import { sampleQuery } from '../../api.ts';
import { type KeptSample, renewSample, withAnswer, writeSample } from '../../run/kept-sample.ts';
import { SampleChanged } from './sample-changed.tsx';
import { SampleResult } from './sample-result.tsx';
import { SampleRun } from './sample-run.tsx';

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
