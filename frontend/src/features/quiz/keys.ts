export const quizKeys = {
  all: ['quiz'] as const,
  topics: (language: string) => [...quizKeys.all, 'topics', language] as const,
  session: (id: string) => [...quizKeys.all, 'session', id] as const,
};
