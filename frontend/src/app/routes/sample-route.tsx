import '#theme/components.css';
import { Sample } from '#features/quiz/components/sample/sample.tsx';

export function SampleRoute() {
  return <Sample />;
}
