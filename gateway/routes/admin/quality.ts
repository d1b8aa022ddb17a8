import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import {
  CorrectKeyRequest,
  CorrectKeyResponse,
  CoverageResponse,
  DismissQualityRequest,
  QualityQuery,
  QualityResponse,
  QualitySummaryResponse,
  QuestionStatisticsResponse,
} from '@proveklar/contract/question-quality.ts';
import { readCoverage } from '@proveklar/services/questions/coverage.ts';
import { correctKey } from '@proveklar/services/quiz/regrade.ts';
import {
  createReviewQueue,
  dismissQuality,
  QUALITY_PAGE_SIZE,
  type QualityItem,
  type QualitySummary,
  summarizeQuality,
} from '@proveklar/services/statistics/review-queue.ts';
import {
  MIN_ANSWERS,
  type ItemAnalysis,
  type OptionCount,
} from '@proveklar/services/statistics/item-analysis.ts';
import { readQuestionStatistics } from '@proveklar/services/statistics/question-statistics.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { cached } from '#pages/cached.ts';
import { identityOf } from '#plugins/access.ts';

/** A chart of the whole bank does not visibly change sooner. */
const SUMMARY_CACHE_MS = 5_000;
/** The same, and it reads every question. */
const COVERAGE_CACHE_MS = 30_000;

/** The review queue of the question bank, and its summary, for administrators. */
export const reviewRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const listReviewQueue = createReviewQueue(db);
  const summary = cached(SUMMARY_CACHE_MS, () => summarizeQuality(db));
  const coverage = cached(COVERAGE_CACHE_MS, () => readCoverage(db));

  app.get(
    '/',
    {
      config: { access: 'editor', docs: docs.listReviewQueue },
      schema: {
        tags: ['admin'],
        summary: 'The review queue: questions that look wrong, worst first',
        querystring: QualityQuery,
        response: withErrors({ 200: QualityResponse }),
      },
    },
    async (request) => {
      const { reason, page = 1 } = request.query;
      const { items, total } = await listReviewQueue(reason, page);
      return {
        questions: items.map(toQueueItem),
        total,
        page,
        page_size: QUALITY_PAGE_SIZE,
        threshold: MIN_ANSWERS,
      };
    },
  );

  app.get(
    '/summary',
    {
      config: { access: 'editor', docs: docs.summarizeQuality },
      schema: {
        tags: ['admin'],
        summary: 'Quality of the question bank, for charts',
        response: withErrors({ 200: QualitySummaryResponse }),
      },
    },
    async () => toSummaryBody(await summary()),
  );

  app.get(
    '/coverage',
    {
      config: { access: 'editor', docs: docs.readCoverage },
      schema: {
        tags: ['admin'],
        summary: 'How many questions the bank has for each subject of the curriculum',
        response: withErrors({ 200: CoverageResponse }),
      },
    },
    async () => {
      const { as_of, ...counts } = await coverage();
      return { as_of: as_of.toISOString(), ...counts };
    },
  );

  app.post(
    '/:question/dismiss',
    {
      config: { access: 'editor', docs: docs.dismissQuality },
      schema: {
        tags: ['admin'],
        summary: 'Dismiss a question from the review queue: it is right',
        params: QuestionParams,
        body: DismissQualityRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const actor = identityOf(request);
      await dismissQuality(db, question, request.body.reason, actor);
      return { ok: true as const };
    },
  );
};

/** Statistics of a question, and the correction of its key. */
export const questionQualityRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:question/statistics',
    {
      config: { access: 'editor', docs: docs.readQuestionStatistics },
      schema: {
        tags: ['admin'],
        summary: 'Statistics of a question',
        params: QuestionParams,
        response: withErrors({ 200: QuestionStatisticsResponse }),
      },
    },
    async (request) =>
      toStatisticsBody(await readQuestionStatistics(app.deps.db, request.params.question)),
  );

  app.post(
    '/:question/correct-key',
    {
      config: { access: 'editor', docs: docs.correctKey },
      schema: {
        tags: ['admin'],
        summary: 'Correct the key of a question, and regrade the quizzes that showed it',
        params: QuestionParams,
        body: CorrectKeyRequest,
        response: withErrors({ 200: CorrectKeyResponse }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const actor = identityOf(request);
      return correctKey(app.deps.db, { question, ...request.body, actor });
    },
  );
};

function toQueueItem({ options, ...item }: QualityItem) {
  const shares = toShares(options);
  const [preferred] = shares
    .filter(({ is_key, times_chosen }) => !is_key && times_chosen > 0)
    .toSorted((a, b) => b.times_chosen - a.times_chosen);
  const { answers: _a, facility: _f, quizzes: _q, discrimination: _d, ...question } = item;
  return {
    ...question,
    ...toItemAnalysis(item),
    key_share: shares.find((option) => option.is_key)?.share ?? null,
    preferred_distractor: preferred
      ? {
          option: preferred.option,
          times_chosen: preferred.times_chosen,
          share: preferred.share ?? 0,
        }
      : null,
  };
}

function toSummaryBody({ as_of, facility, scatter, ...summary }: QualitySummary) {
  return {
    ...summary,
    as_of: as_of.toISOString(),
    threshold: MIN_ANSWERS,
    facility: facility.map((questions, bin) => ({
      from: bin / 10,
      to: (bin + 1) / 10,
      questions,
    })),
    scatter: scatter.map((bin) => ({
      facility: middle(bin.facility),
      discrimination: middle(bin.discrimination),
      questions: bin.questions,
    })),
  };
}

/** The middle of a bin: 3 → 0.35. */
const middle = (bin: number) => (bin * 10 + 5) / 100;

type StatisticsRecord = Awaited<ReturnType<typeof readQuestionStatistics>>;

function toStatisticsBody({
  id,
  uuid,
  question,
  topic,
  language,
  version,
  ...statistics
}: StatisticsRecord) {
  const { regrade } = statistics;
  return {
    id,
    uuid,
    question,
    topic,
    language,
    version,
    threshold: MIN_ANSWERS,
    ...toItemAnalysis(statistics),
    measured_difficulty: statistics.measured_difficulty,
    options: toShares(statistics.options),
    versions: statistics.versions.map((each) => ({
      version: each.version,
      current: each.current,
      pooled: each.pooled,
      corrected: each.corrected,
      question: each.question,
      replaced_at: each.replaced_at?.toISOString() ?? null,
      ...toItemAnalysis(each),
      options: toShares(each.options),
    })),
    regrade: regrade && {
      ...regrade,
      requested_at: regrade.requested_at.toISOString(),
      completed_at: regrade.completed_at?.toISOString() ?? null,
    },
  };
}

/** The item analysis as the API returns it. */
function toItemAnalysis({ answers, facility, quizzes, discrimination }: ItemAnalysis) {
  return { answers, too_few: answers < MIN_ANSWERS, facility, quizzes, discrimination };
}

/** The share of each option among the answers. */
function toShares(options: readonly OptionCount[]) {
  const all = options.reduce((sum, option) => sum + option.times_chosen, 0);
  return options.map((option) => ({
    ...option,
    share: all === 0 ? null : option.times_chosen / all,
  }));
}
