import type {
  BankQuestion,
  DeleteQuestionResponse,
  EditQuestionRequest,
} from '@proveklar/contract/questions.ts';
import { api } from '#lib/api-client.ts';

/** Writes a question anew; 409 `question_changed` when somebody else did so first. */
export function editQuestion(id: number, body: EditQuestionRequest): Promise<BankQuestion> {
  return api(`/questions/${id}`, { method: 'PUT', signedIn: true, body });
}

export function changeTopic(id: number, topic: string): Promise<BankQuestion> {
  return api(`/questions/${id}/topic`, { method: 'PUT', signedIn: true, body: { topic } });
}

/** Lets quizzes draw a question, or no more. */
export function validateQuestion(id: number, validated: boolean): Promise<BankQuestion> {
  return api(`/questions/${id}/validate`, { method: 'POST', signedIn: true, body: { validated } });
}

/** A question that quizzes have is retired, another one is gone. */
export function deleteQuestion(id: number): Promise<DeleteQuestionResponse> {
  return api(`/questions/${id}`, { method: 'DELETE', signedIn: true });
}

export function restoreQuestion(id: number): Promise<BankQuestion> {
  return api(`/questions/${id}/restore`, { method: 'POST', signedIn: true });
}
