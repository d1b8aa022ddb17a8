import type {
  ExamFacts,
  ExamProfile,
  ExamProfileRequest,
  ExamProfilesResponse,
  ExamsResponse,
} from '@proveklar/contract/settings.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

const SOURCE = { source_url: 'https://www.halden.kommune.no/', checked_at: '2026-11-20' };
const UNCHANGED = { updated_at: null, updated_by: null };
const SAMFUNNSKUNNSKAP_FACTS: ExamFacts = {
  name: 'samfunnskunnskap',
  questions_shown: 38,
  questions_counted: 34,
  pass_mark: 26,
  minutes: 60,
  ...SOURCE,
};
const STATSBORGER_FACTS: ExamFacts = {
  name: 'statsborger',
  questions_shown: 36,
  questions_counted: 32,
  pass_mark: 24,
  minutes: 60,
  ...SOURCE,
};
const STATSBORGER: ExamProfile = { ...STATSBORGER_FACTS, ...UNCHANGED };
const { name: _name, ...FIGURES } = STATSBORGER_FACTS;

export const listExams: OperationDocs<never, ExamsResponse> = {
  operationId: 'listExams',
  description:
    'How many questions a practice test shows, how many of them count, how many right answers pass, and how long there is. A test that has begun keeps what it began with.',
  examples: {
    at_first: {
      summary: 'As they come with a new installation',
      answer: { exams: [SAMFUNNSKUNNSKAP_FACTS, STATSBORGER_FACTS] },
    },
  },
};

export const listExamProfiles: OperationDocs<never, ExamProfilesResponse> = {
  operationId: 'listExamProfiles',
  description: 'Each with the source of its figures and the day on which they were compared.',
  examples: {
    at_first: {
      summary: 'As they come with a new installation',
      answer: {
        exam_profiles: [{ ...SAMFUNNSKUNNSKAP_FACTS, ...UNCHANGED }, STATSBORGER],
      },
    },
  },
};

export const changeExamProfile: OperationDocs<ExamProfileRequest, ExamProfile> = {
  operationId: 'changeExamProfile',
  description:
    'For the tests that begin from now on: one that has begun or ended keeps its questions, its time and its pass mark. Without a difference nothing is written or recorded.',
  examples: {
    longer: {
      summary: 'Five minutes more, as published on another page',
      path: { name: 'statsborger' },
      body: { ...FIGURES, minutes: 65, source_url: 'https://example.no/kilder/statsborgerprove' },
      answer: {
        ...STATSBORGER,
        minutes: 65,
        source_url: 'https://example.no/kilder/statsborgerprove',
        updated_at: '2026-01-20T09:00:00.000Z',
        updated_by: ADMIN_EMAIL,
      },
    },
  },
};
