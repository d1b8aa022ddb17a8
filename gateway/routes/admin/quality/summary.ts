import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  summarizeQuality,
  type QualitySummary,
} from '@proveklar/services/statistics/quality-summary.ts';
import { ENOUGH_ANSWERS } from '@proveklar/services/statistics/thresholds.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { recently } from '#pages/recently.ts';

/** It is a chart of the whole bank: nobody sees a difference sooner. */
const KEEP_MS = 5_000;

export const summaryRoute: FastifyPluginAsyncTypebox = async (app) => {
  const summary = recently(KEEP_MS, () => summarizeQuality(app.deps.db));
  app.get(
    '/summary',
    {
      config: { access: 'admin', docs: docs.summarizeQuality },
      schema: {
        tags: ['admin'],
        summary: 'How the questions of the bank are doing, for charts',
        response: withErrors({ 200: QualitySummaryResponse }),
      },
    },
    async () => toBody(await summary()),
  );
};

function toBody({ as_of, facility, scatter, ...summary }: QualitySummary) {
  return {
    ...summary,
    as_of: as_of.toISOString(),
    threshold: ENOUGH_ANSWERS,
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

/** Of a tenth: 3 → 0.35. */
const middle = (tenth: number) => (tenth * 10 + 5) / 100;
