export const quizKeys = {
  all: ['quiz'] as const,
  topics: (language: string) => [...quizKeys.all, 'topics', language] as const,
  sample: (language: string) => [...quizKeys.all, 'sample', language] as const,
  exams: () => [...quizKeys.all, 'exams'] as const,
  session: (id: string) => [...quizKeys.all, 'session', id] as const,
  questions: (id: string) => [...quizKeys.all, 'questions', id] as const,
  translation: (id: string, uuid: string, language: string) =>
    [...quizKeys.all, 'translation', id, uuid, language] as const,
  /** What the home screen lists: out of date as soon as one is in a quiz. */
  lists: () => [...quizKeys.all, 'lists'] as const,
  history: () => [...quizKeys.lists(), 'history'] as const,
  progress: () => [...quizKeys.lists(), 'progress'] as const,
  open: () => [...quizKeys.lists(), 'open'] as const,
};
