import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import styles from './practise-offers.module.css';
import { PractiseButtons } from './practise-buttons.tsx';

type PractiseOffersProps = {
  progress: ProgressResponse | undefined;
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: 'mistakes' | 'weakest') => void;
};

/** On the home screen: what is most worth practising, once there is something to go by. */
export function PractiseOffers({ progress, ...starting }: PractiseOffersProps) {
  const { t } = useTranslation('learner');
  if (!progress || (progress.mistakes === 0 && progress.weakest === null)) return null;
  return (
    <section className={styles.offers} aria-labelledby="practise-more-title">
      <h2 id="practise-more-title">{t('progress.next')}</h2>
      <PractiseButtons progress={progress} {...starting} />
    </section>
  );
}
