import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { givenAnswer, QUESTIONS_PER_QUIZ } from '#support/given-answers.ts';
import { HttpConnection } from './http-connection.ts';

// Learners who answer, in a process of their own: what it does takes no time from whoever measures.
// Its order is JSON in the first argument, its result JSON on stdout.

export interface LoadOrder {
  /** Gateways, which the connections are shared out to. */
  urls: string[];
  connections: number;
  /** Numbers of the quizzes to answer, the last left out. */
  first: number;
  end: number;
  seconds: number;
  /** Answers per second, at random moments; as many as it can without. */
  rate?: number;
  /** A file with the learners' tokens, in the order of their numbers. */
  tokensFile: string;
}

export interface LoadResult {
  answers: number;
  seconds: number;
  /** Milliseconds of each, as `latencies` of pgbench. */
  latencies: number[];
}

const order = JSON.parse(process.argv[2]!) as LoadOrder;
const tokens = JSON.parse(readFileSync(order.tokensFile, 'utf8')) as string[];
const latencies: number[] = [];
const began = performance.now();
const until = began + order.seconds * 1000;
let due = began;
let nextQuiz = order.first;

/** The moment of the next answer. As pgbench: exponentially distributed, and whoever is free takes it. */
function nextDue(): number {
  if (order.rate === undefined) return performance.now();
  return (due += (-Math.log(1 - Math.random()) * 1000) / order.rate);
}

/** Waits for the moment. When a timer is late, that is not the gateway's fault. */
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
    if (quiz >= order.end) throw new Error('There were not enough quizzes for this machine.');
    for (let position = 0; position < QUESTIONS_PER_QUIZ; position += 1) {
      const moment = nextDue();
      if (moment >= until) {
        connection.close();
        return;
      }
      const sent = await reach(moment);
      const status = await connection.send(requestOf(quiz, position));
      if (status !== 200) throw new Error(`An answer was refused with ${status}.`);
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
