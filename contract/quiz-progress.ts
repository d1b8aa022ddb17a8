import { Type, type Static } from 'typebox';
import { Closed, Timestamp } from './common.ts';

const NameOrNull = Type.Union([Type.String(), Type.Null()]);

const TopicProgress = Closed({
  topic: Type.String(),
  language: Type.String(),
  names: Closed(
    { no: NameOrNull, en: NameOrNull },
    {
      description:
        "What the topic is called in each language of the screens, by the topics of its questions' translations; null where they do not say.",
    },
  ),
  met: Type.Integer({ description: 'Different questions that the learner has answered.' }),
  right: Type.Integer({ description: 'Those of them whose latest answer was right.' }),
  enough: Type.Boolean({
    description:
      'Whether so many were answered (five) that the share of right ones says something.',
  }),
  last_practised_at: Timestamp,
});

export const ProgressResponse = Closed({
  topics: Type.Array(TopicProgress, {
    description: 'Topics with an answer, by language and in Norwegian alphabetical order.',
  }),
  mistakes: Type.Integer({
    description:
      'Questions whose latest answer was wrong, over all languages. The drill `mistakes` draws from those of its language.',
  }),
  weakest: Type.Union([Closed({ topic: Type.String(), language: Type.String() }), Type.Null()], {
    description:
      'The topic with the lowest share of right ones among those with enough answers; null when there is none, or nothing is wrong.',
  }),
});
export type ProgressResponse = Static<typeof ProgressResponse>;
