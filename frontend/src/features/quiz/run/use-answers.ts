import type { AnswerResponse, QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, mayPass } from '#lib/api-error.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { readUnsent, writeUnsent } from './unsent-answers.ts';

export type GivenAnswer = {
  answer: string;
  status: 'sending' | 'saved' | 'failed';
  /** What the server told about it; nothing about right and wrong until that may be known. */
  result?: Omit<AnswerResponse, 'score'>;
  error?: unknown;
  /** Given on this screen, not restored: only then does a quiz go on by itself. */
  fresh: boolean;
};

export type GivenAnswers = Record<string, GivenAnswer>;

function restore(session: QuizSession, uid: string): GivenAnswers {
  const given: GivenAnswers = {};
  for (const [uuid, { answer, ...result }] of Object.entries(session.answers)) {
    if (answer) given[uuid] = { answer, status: 'saved', result, fresh: false };
  }
  const known = new Set(session.questions.map(({ uuid }) => uuid));
  for (const [uuid, answer] of Object.entries(readUnsent({ uid, quizId: session.id }))) {
    if (known.has(uuid)) given[uuid] = { answer, status: 'failed', fresh: false };
  }
  return given;
}

/**
 * The answers of a quiz and their way to the server: one after the other, so that the last
 * choice wins, kept until confirmed, and sent again when the network is back. An answer that the
 * server refuses for good is given up. A quiz that is over meanwhile, ended in another tab, takes
 * no more: then its outcome is shown.
 */
export function useAnswers(session: QuizSession, keeper: QuizKeeper) {
  const { owner } = keeper;
  const [answers, setAnswers] = useState(() => restore(session, owner));
  const latest = useRef(answers);
  const queue = useRef(Promise.resolve());
  const [refusal, setRefusal] = useState<unknown>();
  const kept = useRef(keeper);
  useEffect(() => {
    kept.current = keeper;
  });

  const set = useCallback(
    (uuid: string, given: GivenAnswer | undefined) => {
      const { [uuid]: _, ...others } = latest.current;
      latest.current = given ? { ...others, [uuid]: given } : others;
      setAnswers(latest.current);
      const unsent = Object.entries(latest.current).filter(([, { status }]) => status !== 'saved');
      writeUnsent(
        { uid: owner, quizId: session.id },
        Object.fromEntries(unsent.map(([id, { answer }]) => [id, answer])),
      );
    },
    [session.id, owner],
  );

  const send = useCallback(
    (uuid: string, answer: string): Promise<void> => {
      setRefusal(undefined);
      set(uuid, { answer, status: 'sending', fresh: true });
      queue.current = queue.current.then(async () => {
        // Changed again while it waited: the later choice is in the queue behind this one.
        if (latest.current[uuid]?.answer !== answer) return;
        try {
          const { score: _, ...result } = await kept.current.answer({
            question_id: uuid,
            answer,
          });
          if (latest.current[uuid]?.answer !== answer) return;
          set(uuid, { answer, status: 'saved', result, fresh: true });
        } catch (error) {
          if (error instanceof ApiError && error.code === 'quiz_closed')
            return void kept.current.showOutcome();
          if (latest.current[uuid]?.answer !== answer) return;
          if (mayPass(error)) return set(uuid, { answer, status: 'failed', error, fresh: true });
          set(uuid, undefined);
          setRefusal(error);
        }
      });
      return queue.current;
    },
    [set],
  );

  /** Sends what has failed again. Resolves to whether everything is saved then, none given up. */
  const sendAll = useCallback(async (): Promise<boolean> => {
    const given = Object.keys(latest.current).length;
    for (const [uuid, { answer, status }] of Object.entries(latest.current)) {
      if (status === 'failed') void send(uuid, answer);
    }
    await queue.current;
    const arrived = Object.values(latest.current).filter(({ status }) => status === 'saved');
    return arrived.length === given;
  }, [send]);

  useEffect(() => {
    void sendAll();
    const resend = () => void sendAll();
    window.addEventListener('online', resend);
    return () => window.removeEventListener('online', resend);
  }, [sendAll]);

  return { answers, refusal, send, sendAll };
}
