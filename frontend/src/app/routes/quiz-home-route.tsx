export function QuizHomeRoute() { return null; }
