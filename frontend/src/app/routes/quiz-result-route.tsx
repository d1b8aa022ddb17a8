export function QuizResultRoute() { return null; }
