import { sampleQuery } from '#features/quiz/api.ts';
import { beginSample, readSample, withAnswer, writeSample } from '#features/quiz/kept-sample.ts';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { takeTried, type Tried } from '#lib/tried-question.ts';

/** Loads no sign-in code: the page is for visitors without an account. */
export async function loadSample(): Promise<void> {
  // Not awaited: the page shows that the questions are loading, or why they could not be loaded.
  void queryClient.prefetchQuery(sampleQuery(currentLanguage()));
  void queryClient.prefetchQuery(configQuery);
  const tried = takeTried();
  await Promise.all([loadTexts('learner'), tried && continueFrom(tried).catch(() => {})]);
}

/** Takes the answer given on the landing page into the sample, which then goes on with its next question. */
async function continueFrom({ question, given, result }: Tried): Promise<void> {
  const kept = readSample();
  if (kept) return;
  const { questions } = await queryClient.fetchQuery(sampleQuery(currentLanguage()));
  const others = questions.filter(({ uuid }) => uuid !== question.uuid);
  // The bank has changed since the page was sent: the sample restarts.
  if (others.length === questions.length) return;
  const answer = { question_id: question.uuid, answer: given };
  writeSample(withAnswer(beginSample([question, ...others]), answer, result));
}
