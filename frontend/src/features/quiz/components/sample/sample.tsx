import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentLanguage } from '#i18n/i18n.ts';
import { sampleQuery } from '../../api.ts';
import { beginSample, readSample } from '../../run/kept-sample.ts';
import { SampleGo } from './sample-go.tsx';
import { SampleLoading } from './sample-loading.tsx';

/** Ten questions for anybody, and what came of them, on one page. */
export function Sample() {
  const [go, setGo] = useState(() => ({ number: 1, kept: readSample() }));
  // What was begun stays as it is, whatever language is chosen meanwhile.
  const sample = useQuery({ ...sampleQuery(currentLanguage()), enabled: go.kept === null });
  const questions = sample.data?.questions ?? [];
  if (go.kept === null && questions.length === 0) return <SampleLoading sample={sample} />;
  return (
    <SampleGo
      key={go.number}
      begun={go.kept ?? beginSample(questions)}
      onAgain={() => setGo(({ number }) => ({ number: number + 1, kept: null }))}
    />
  );
}
