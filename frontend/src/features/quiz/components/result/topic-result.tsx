import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import { topicScores } from '../../topic-scores.ts';
import styles from './topic-result.module.css';

/** A practice test by topic, and the way to a drill on each. */
export function TopicResult({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const scores = topicScores(session);
  return (
    <section className={styles.card} aria-labelledby="topics-title">
      <h2 id="topics-title">{t('practice.topics_title')}</h2>
      <p className="muted">{t('practice.topics_text')}</p>
      <table className={styles.table}>
        <thead className="ds-sr-only">
          <tr>
            <th scope="col">{t('practice.topic')}</th>
            <th scope="col">{t('practice.right_of')}</th>
            <th scope="col">{t('practice.practise')}</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ topic, right, total }) => (
            <tr key={topic}>
              <th scope="row" {...textIn(session.language)}>
                <span className="clamped">{topic}</span>
              </th>
              <td className={styles.score}>
                {t('practice.score_of', { score: right, total })}
                {/* The numbers beside it say the same. */}
                <span className={styles.bar} aria-hidden="true">
                  <span style={{ width: `${(right / total) * 100}%` }} />
                </span>
              </td>
              <td className={styles.way}>
                <Link
                  className="ds-link tap"
                  to="/quiz"
                  search={{ topic, language: session.language }}
                  aria-label={t('practice.practise_named', { topic })}
                >
                  {t('practice.practise')}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
