import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { givenAnswer, QUESTIONS_PER_QUIZ } from '#support/given-answers.ts';
import { HttpConnection } from './http-connection.ts';

// The load generator: learners who answer. It has its own process, so that it takes no CPU time from the
// measuring one. Options: JSON in the first argument; result: JSON on stdout.

export interface LoadOrder {
  /** The gateways; connections are distributed over them. */
  urls: string[];
  connections: number;
  /** The numbers of the quizzes to answer, `last` excluded. */
  first: number;
  end: number;
  seconds: number;
  /** Answers per second, at random moments; without it, as many as possible. */
  rate?: number;
  /** A file with the learners' tokens, in order of their numbers. */
  tokensFile: string;
}

export interface LoadResult {
  answers: number;
  seconds: number;
  /** The latency of each answer in milliseconds, as `latencies` of pgbench. */
  latencies: number[];
}

const order = JSON.parse(process.argv[2]!) as LoadOrder;
const tokens = JSON.parse(readFileSync(order.tokensFile, 'utf8')) as string[];
const latencies: number[] = [];
const began = performance.now();
const until = began + order.seconds * 1000;
let due = began;
let nextQuiz = order.first;

/** The time of the next answer. As in pgbench: exponentially distributed, and taken by any idle connection. */
function nextDue(): number {
  if (order.rate === undefined) return performance.now();
  return (due += (-Math.log(1 - Math.random()) * 1000) / order.rate);
}

/** Waits for that time. The delay of a late timer does not count as latency of the gateway. */
async function reach(moment: number): Promise<number> {
  const left = moment - performance.now();
  if (left <= 0) return moment;
  await sleep(left);
  return performance.now();
}

async function learn(url: string): Promise<void> {
  const connection = new HttpConnection(url);
  for (;;) {
    const quiz = nextQuiz++;
    if (quiz >= order.end)
      throw new Error('The host answered faster than estimated: there are no quizzes left.');
    for (let position = 0; position < QUESTIONS_PER_QUIZ; position += 1) {
      const moment = nextDue();
      if (moment >= until) {
        connection.close();
        return;
      }
      const sent = await reach(moment);
      await connection.sendUntilOk(requestOf(quiz, position));
      latencies.push(performance.now() - sent);
    }
  }
}

function requestOf(quiz: number, position: number): string {
  const { learner, quizId, questionId, answer } = givenAnswer(quiz, position);
  const body = `{"question_id":"${questionId}","answer":"${answer}"}`;
  const head = [
    `POST /api/v1/quiz/${quizId}/answer HTTP/1.1`,
    'host: bench',
    `authorization: Bearer ${tokens[learner]!}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

await Promise.all(
  Array.from({ length: order.connections }, (_, index) =>
    learn(order.urls[index % order.urls.length]!),
  ),
);
const seconds = (performance.now() - began) / 1000;
const result: LoadResult = { answers: latencies.length, seconds, latencies };
process.stdout.write(JSON.stringify(result));
