export function QuizRunRoute() { return null; }
