import { useTranslation } from 'react-i18next';
import type { KeptSample } from '../../run/kept-sample.ts';
import { sampleSession } from '../../run/sample-session.ts';
import { type SampleSteps, useSample } from '../../run/use-sample.ts';
import { QuizRun } from '../run/quiz-run.tsx';

export function SampleRun({ kept, ...steps }: SampleSteps & { kept: KeptSample }) {
  const { t } = useTranslation('learner');
  const keeper = useSample(steps);
  return <QuizRun session={sampleSession(kept, t('sample.title'))} keeper={keeper} />;
}
