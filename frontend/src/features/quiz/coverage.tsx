import type { QuizQuestion, QuizSession } from '@proveklar/contract/quiz.ts';
import { ALL_TOPICS } from '@proveklar/contract/quiz-topics.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import { useOfferedLanguages, writtenLanguage } from '#lib/question-language.ts';
import { topicsQuery } from './api.ts';

// A language with a fallback may have only a part of the bank. Learners read it before they start, and in a
// practice test that has questions in both.

/** Undefined for a language that has the whole bank, and until it is known. */
function useCoverage(language: string) {
  const { i18n } = useTranslation('learner');
  const isPartial = useOfferedLanguages().some(
    ({ code, fallback }) => code === language && fallback,
  );
  const { data } = useQuery({ ...topicsQuery(language), enabled: isPartial });
  const coverage = data?.coverage;
  if (!coverage || coverage.questions >= coverage.total) return undefined;
  return {
    ...coverage,
    words: {
      questions: formatCount(coverage.questions, i18n.language),
      total: formatCount(coverage.total, i18n.language),
      language: writtenLanguage(language, i18n.language),
      fallback: writtenLanguage(coverage.fallback, i18n.language),
    },
  };
}

/** How many questions a practice test in this language can have before it takes others. */
export function TestCoverage({ language }: { language: string }) {
  const { t } = useTranslation('learner');
  const coverage = useCoverage(language);
  if (!coverage) return null;
  return (
    <p>
      {t('coverage.of_bank', coverage.words)} {t('coverage.test', coverage.words)}
    </p>
  );
}

/** How many questions there are for a drill of a topic. */
export function DrillCoverage({ language, topic }: { language: string; topic: string }) {
  const { t } = useTranslation('learner');
  const coverage = useCoverage(language);
  if (!coverage) return null;
  const count = coverage.topics.find((one) => one.topic === topic)?.questions ?? 0;
  return (
    <p className="muted">
      {topic === ALL_TOPICS
        ? t('coverage.of_bank', coverage.words)
        : t('coverage.topic', { count, language: coverage.words.language })}
    </p>
  );
}

type LanguageOfQuestionProps = { session: QuizSession; question: QuizQuestion };

/** In a test with questions in two languages: how many are in each, and which are not in the chosen one. */
export function LanguageOfQuestion({ session, question }: LanguageOfQuestionProps) {
  const { t, i18n } = useTranslation('learner');
  const { questions, language } = session;
  const own = questions.filter((one) => one.language === language).length;
  const other = questions.find((one) => one.language !== language);
  const isFirst = questions[0]?.uuid === question.uuid;
  if (!other || (!isFirst && question.language === language)) return null;
  const nameOf = (code: string) => writtenLanguage(code, i18n.language);
  return (
    <p className="muted" data-question-language>
      {isFirst &&
        t('coverage.in_test', {
          count: own,
          total: questions.length,
          language: nameOf(language),
          fallback: nameOf(other.language),
        })}{' '}
      {question.language !== language &&
        t('coverage.question', { language: nameOf(question.language) })}
    </p>
  );
}
