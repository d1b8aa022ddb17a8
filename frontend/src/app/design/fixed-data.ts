import type { AccountResponse } from '@proveklar/contract/account.ts';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { GlossaryContent } from '@proveklar/contract/glossary.ts';
import type {
  ConfirmRegistrationResponse,
  PaymentStatusResponse,
} from '@proveklar/contract/payment.ts';
import type {
  AnswerResponse,
  ProgressResponse,
  QuizQuestion,
  QuizSession,
} from '@proveklar/contract/quiz.ts';
import { TODAY } from '@proveklar/contract/quiz-topics.ts';
import type { ExamFacts } from '@proveklar/contract/settings.ts';
import type { EndedQuestion, HistoryItem, OpenQuiz } from '#features/quiz/api.ts';
import type { Learning } from '#features/quiz/learning/api.ts';

// What the parts of the design page show: a long question, so that they are seen at their fullest.

export const TOPICS = [
  'Arbeidsliv',
  'Demokrati og lov',
  'Familie, barn og helse',
  'Geografi',
  'Historie',
];

export const CONFIG: ConfigResponse = {
  identity: { api_key: '', auth_domain: '', project_id: '', emulator_url: null },
  stripe: { publishable_key: '', script_url: null },
  support_email: 'kontakt@example.no',
  seller: null,
  price: 149,
  price_includes_vat: false,
  currency: 'nok',
  languages: [
    { code: 'no', name: 'Norsk', direction: 'ltr', fallback: null },
    { code: 'en', name: 'English', direction: 'ltr', fallback: null },
  ],
  service_days: 30,
};

const RIGHT = 'De skal ha lik lønn i både private og offentlige bedrifter';
const WRONG = 'De skal ha lik lønn i offentlige, men ikke i private bedrifter';

const question = (place: number): QuizQuestion => ({
  id: place,
  uuid: `00000000-0000-4000-8000-00000000000${place}`,
  question:
    'En kvinne og en mann har samme erfaring og gjør likt arbeid i samme bedrift. Hva sier loven om lønna?',
  options: [WRONG, RIGHT, 'Sjefen bestemmer lønna alene', 'Den som har flest barn, får mest lønn'],
  topic: 'Arbeidsliv',
  language: 'no',
  marked: place === 2,
});

export const RESULT: Omit<AnswerResponse, 'score' | 'correct'> & { correct_answer: string } = {
  correct_answer: RIGHT,
  explanation:
    'Lønna skal fastsettes på samme måte for begge kjønn. Loven gjelder også arbeid av lik verdi, så to ulike yrker i samme bedrift kan sammenlignes.',
  reasons: [
    {
      option: WRONG,
      reason: 'Likestillings- og diskrimineringsloven gjelder også private firmaer.',
    },
  ],
  source_url: 'https://www.ldo.no/',
  source_title: 'Veiledning for likelønn – Likestillings- og diskrimineringsombudet',
  checked_at: '2026-11-23',
};

export const SESSION: QuizSession = {
  id: '00000000-0000-4000-8000-000000000000',
  topic: 'Arbeidsliv',
  language: 'no',
  instant_feedback: true,
  state: 'open',
  started_at: '2026-11-23T12:00:00.000Z',
  ended_at: null,
  regraded_at: null,
  questions: [question(1), question(2), question(3)],
  answers: {},
  score: 0,
  total: 3,
  exam: null,
  auto_advance: false,
};

const MAP = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><path d="M0 0h80v60H0z" fill="#cfe3ea"/><path d="M8 52 30 8l14 20L60 12l14 40Z" fill="#5f8f6b"/></svg>',
)}`;

/** A question whose options are places in its picture. */
export const PICTURED: QuizSession = {
  ...SESSION,
  questions: [
    {
      ...question(1),
      question: 'Hvor på kartet er fjellet høyest?',
      options: ['Til venstre', 'Til høyre'],
      image: { url: MAP, alt: 'Et kart med to fjell', width: 80, height: 60 },
      areas: [
        { name: 'Til venstre', shape: '10,87 37,13 50,87' },
        { name: 'Til høyre', shape: '50,87 75,20 92,87' },
      ],
    },
  ],
  total: 1,
};

/** A question with its key, as after a quiz. */
export const ENDED: EndedQuestion = {
  ...question(1),
  answer: RIGHT,
  incorrect: question(1).options.filter((option) => option !== RIGHT),
  explanation: RESULT.explanation ?? null,
  reasons: RESULT.reasons ?? [],
  source_url: RESULT.source_url ?? null,
  source_title: RESULT.source_title ?? null,
  checked_at: RESULT.checked_at ?? null,
};

export const TEST: QuizSession = {
  ...SESSION,
  topic: 'Praktisk prøve',
  instant_feedback: false,
  score: null,
  exam: {
    name: 'samfunnskunnskap',
    pass_mark: 26,
    counted_questions: 34,
    minutes: 60,
    deadline_at: '2026-11-23T13:00:00.000Z',
    seconds_left: 3_000,
    passed: null,
  },
};

export const GLOSSARY: GlossaryContent[] = [
  {
    word: 'bedrift',
    forms: ['bedrifter', 'bedriften'],
    norwegian: 'Et firma, et sted der folk arbeider',
    english: 'company',
  },
];

export const EXAMS: ExamFacts[] = [
  {
    name: 'samfunnskunnskap',
    questions_shown: 38,
    questions_counted: 34,
    pass_mark: 26,
    minutes: 60,
    source_url:
      'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/',
    checked_at: '2026-11-20',
  },
];

/** The result of a drill, or of a test, with `score` of 34 right. */
export const ended = (score: number, passed: boolean | null = null): QuizSession => ({
  ...SESSION,
  state: 'ended',
  ended_at: '2026-11-23T12:41:00.000Z',
  score,
  total: 34,
  exam: passed === null ? null : { ...TEST.exam!, seconds_left: 0, passed },
});

const UNKNOWN: Learning = {
  language: 'no',
  exam: 'samfunnskunnskap',
  exam_date: null,
  daily_goal: 20,
  suggested_goal: null,
  reminders: false,
  reminders_stopped: null,
  support_access: false,
  auto_advance: null,
  today: { goal: 20, done: 0, due: 0, wrong_today: 0, new: 20 },
  streak: { days: 0, forgiven_used: 0 },
  readiness: null,
  answers_missing: 40,
  next_step: null,
  access_ends_first: null,
  ask_outcome: false,
  topics: TOPICS.map((topic) => ({ topic, total: 70, known: 0, unsure: 0, unseen: 70 })),
};

const PRACTISED: Learning = {
  ...UNKNOWN,
  today: { goal: 20, done: 8, due: 8, wrong_today: 3, new: 4 },
  answers_missing: 0,
  streak: { days: 12, forgiven_used: 1 },
  readiness: { probability: 0.62, low: 0.45, high: 0.78, answers: 180 },
  next_step: { kind: 'new', topic: 'Demokrati og lov', questions: 10 },
  topics: TOPICS.map((topic, place) => ({
    topic,
    total: 70,
    known: 14 * place,
    unsure: 10,
    unseen: 60 - 14 * place,
  })),
};

/** The learner at different times. */
export const LEARNERS = {
  'a new learner': UNKNOWN,
  'something to repeat, a streak': PRACTISED,
  'the goal is reached': {
    ...PRACTISED,
    today: { goal: 20, done: 24, due: 0, wrong_today: 5, new: 0 },
  },
  'an exam date that needs more a day': {
    ...PRACTISED,
    exam_date: '2099-12-24',
    suggested_goal: 30,
  },
  'the exam is over': { ...PRACTISED, ask_outcome: true, exam_date: '2026-11-20' },
  'an empty bank': { ...UNKNOWN, topics: [], today: { ...UNKNOWN.today, new: 0 } },
} satisfies Record<string, Learning>;

const chance = (probability: number, answers: number): Learning => ({
  ...PRACTISED,
  readiness: { probability, low: probability - 0.15, high: probability + 0.15, answers },
});
const KNOWN = chance(0.62, 180);

/** What is known before and after a quiz, or a set of today's practice. */
export const CHANCES = {
  'the chance is known for the first time': {
    before: UNKNOWN,
    now: chance(0.41, 40),
    topic: 'Arbeidsliv',
  },
  'the chance is higher': { before: KNOWN, now: chance(0.68, 190), topic: 'Arbeidsliv' },
  'the chance is the same': { before: KNOWN, now: chance(0.62, 190), topic: 'Arbeidsliv' },
  'the chance is lower': { before: KNOWN, now: chance(0.55, 190), topic: 'Arbeidsliv' },
  'the chance is not known yet': {
    before: UNKNOWN,
    now: { ...UNKNOWN, answers_missing: 30 },
    topic: 'Arbeidsliv',
  },
  "after a set of today's practice": { before: KNOWN, now: chance(0.68, 190), topic: TODAY },
} satisfies Record<string, { before: Learning; now: Learning; topic: string }>;

export const PROGRESS: ProgressResponse = {
  topics: TOPICS.map((topic, place) => ({
    topic,
    language: 'no',
    names: { no: topic, en: null },
    met: 20,
    right: 20 - 3 * place,
    enough: true,
    last_practised_at: '2026-11-23T12:00:00.000Z',
  })),
  mistakes: 30,
  weakest: { topic: 'Historie', language: 'no' },
};

const REGISTRATION: PaymentStatusResponse = {
  purpose: 'registration',
  status: 'paid',
  amount: 149_00,
  service_days: 30,
  packet_key: null,
  registration: { email: 'demo@example.no', username: 'Demo', needs_password: true },
};
const WITH_PASSWORD = { ...REGISTRATION.registration!, needs_password: false };

/** Payments that came back from the page of a bank or wallet, by their state. */
export const RETURNED_PAYMENTS: Record<string, PaymentStatusResponse> = {
  'approved, asks for a password': REGISTRATION,
  'approved, has a password': {
    ...REGISTRATION,
    status: 'settled',
    registration: WITH_PASSWORD,
  },
  'approved, extended': {
    ...REGISTRATION,
    purpose: 'extension',
    status: 'settled',
    registration: null,
  },
  refused: { ...REGISTRATION, status: 'unpaid', registration: WITH_PASSWORD },
  closed: { ...REGISTRATION, status: 'requires_action', registration: WITH_PASSWORD },
  processing: { ...REGISTRATION, status: 'processing', registration: WITH_PASSWORD },
  cancelled: { ...REGISTRATION, status: 'cancelled', registration: WITH_PASSWORD },
  expired: { ...REGISTRATION, status: 'expired', registration: WITH_PASSWORD },
  'needs help': { ...REGISTRATION, status: 'needs_help', registration: WITH_PASSWORD },
};

const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const quiz = (change: Partial<OpenQuiz>): OpenQuiz => ({
  id: '00000000-0000-4000-8000-000000000009',
  topic: TODAY,
  started_at: inDays(0),
  answered: 4,
  questions: 10,
  seconds_left: null,
  ...change,
});

/** Quizzes that were left open. */
export const OPEN = {
  today: [quiz({ topic: 'Praktisk prøve', answered: 12, questions: 38, seconds_left: 1_500 })],
  earlier: [quiz({ started_at: inDays(-2) })],
};

const run = (place: number): HistoryItem => {
  const isTest = place % 3 === 0;
  const total = isTest ? 34 : 10;
  const correct = Math.round(total * (0.95 - 0.06 * place));
  return {
    id: `00000000-0000-4000-8000-00000000010${place}`,
    topic: isTest ? 'Praktisk prøve' : TOPICS[place % TOPICS.length]!,
    completed_at: inDays(-place),
    correct_answers: correct,
    total_questions: total,
    time_spent: 180 + 60 * place,
    passed: isTest ? correct >= 26 : null,
    pass_mark: isTest ? 26 : null,
    regraded_at: null,
  };
};

export const HISTORY: HistoryItem[] = Array.from({ length: 8 }, (_, place) => run(place));

const account = (days: number, ends: string | null): AccountResponse => ({
  account: { registered_at: inDays(-40), service_expires_at: ends, is_active: days > 0 },
  days_remaining: days,
  waiting_days: [],
  is_admin: false,
  role: null,
  email: 'demo@example.no',
  display_name: 'Demo',
  language: 'no',
});

const registered = (
  change: Partial<ConfirmRegistrationResponse> = {},
  isPaid = true,
): { result: ConfirmRegistrationResponse; isPaid: boolean } => {
  const { account: own, days_remaining, waiting_days } = account(30, inDays(30));
  const found = { account_existed: false, password_mailed: false };
  return { result: { account: own, days_remaining, waiting_days, ...found, ...change }, isPaid };
};

/** The ends of a registration. */
export const REGISTERED = {
  paid: registered(),
  'free of charge': registered({}, false),
  'an earlier account': registered({ account_existed: true }),
  'a password by mail': registered({ account_existed: true, password_mailed: true }),
  'days that wait': registered({
    days_remaining: 0,
    waiting_days: [{ days: 30, begins_at: inDays(14) }],
  }),
} satisfies Record<string, { result: ConfirmRegistrationResponse; isPaid: boolean }>;

/** The account at different times of its access. */
export const ACCOUNT = {
  'much time left': account(28, inDays(28)),
  'the last week': account(5, inDays(5)),
  'the last day': account(1, inDays(0.5)),
  'access has ended': account(0, inDays(-3)),
  'never had access': account(0, null),
} satisfies Record<string, AccountResponse>;
