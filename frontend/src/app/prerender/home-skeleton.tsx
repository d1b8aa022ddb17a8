import { Tabs } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { Page } from '#components/page.tsx';
import { TodaySection } from '#features/quiz/learning/today-card.tsx';
import { PracticeTestCard, TopicDrillCard } from '#features/quiz/start-cards.tsx';
import quizStyles from '#features/quiz/home.module.css';
import styles from '../quiz-home.module.css';
import { HOME_TABS } from '../search.ts';

/** The parts of the home that are the same for all learners; the personal parts come with its code. */
export function HomeSkeleton() {
  const { t } = useTranslation();
  return (
    <Page title={t('home.title')}>
      <header className={styles.header} role="status" aria-label={t('app.loading')}>
        <span className="ds-skeleton" style={{ width: '9rem', height: '2rem' }} />
        <span className="ds-skeleton" style={{ width: '18rem', height: '2.75rem' }} />
      </header>
      {/* Looked at only: nothing here answers yet. */}
      <div inert>
        <Tabs value="new">
          <Tabs.List className={styles.tabs}>
            {HOME_TABS.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(`home.tab_${tab}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <div className={`${styles.panel} ${styles.tall}`}>
          <div className={quizStyles.quizzes}>
            <TodaySection isLoading />
            {/* Who comes back has mostly begun: there is more to practise. */}
            <div className={quizStyles.offers}>
              <span className="ds-skeleton" style={{ width: '8rem', height: '1.5rem' }} />
              <span className="ds-skeleton" style={{ width: 'min(100%, 22rem)', height: '3rem' }} />
            </div>
            <PracticeTestCard {...UNUSED} chosen={USUAL_EXAM} />
            <TopicDrillCard {...UNUSED} />
          </div>
        </div>
      </div>
    </Page>
  );
}

const UNUSED = { busy: false, disabled: true, onStart: () => undefined };
const USUAL_EXAM = { exam: 'samfunnskunnskap', choose: () => undefined, isUnsent: false } as const;
