import type { Access } from '#plugins/access.ts';

export const TITLE = 'Prøveklar API';

export const DESCRIPTION = `Practise for the Norwegian civics exam.

**Signing in.** Send a Firebase ID token: \`Authorization: Bearer <token>\`. Each operation says who may
call it.

**Bodies** are JSON. Fields that are not in the schema are refused. Times are ISO 8601 in UTC; amounts
are in øre unless the field says NOK.

**Errors** have one shape: \`error\` may be shown to a person, \`code\` is stable and is what a program
decides by, \`details\` names the field or carries what the code documents. A 500 has the id of the
request and nothing else.

**Limits.** Public calls: 600 a minute from one address. An operation that costs more has limits of its own.
Beyond one, the answer is 429 with \`Retry-After\` in seconds.

**Broken requests.** What is not HTTP is answered 400, headers above 16 KiB 431, and headers that do not
arrive within 30 seconds 408; then the connection is closed. Each operation can be called in such a way, so
these answers are not listed with it: they are \`components/responses\` of this document. They have the
shape of all errors.

Every example on this page is called by a test, and its answer compared.`;

export const TAGS = [
  { name: 'account', description: 'The account of whoever is signed in, and its days of service.' },
  {
    name: 'payment',
    description:
      'Registration and more service. The card itself goes from the browser to Stripe, never to us.',
  },
  { name: 'quiz', description: 'Drills and practice tests: start, answer, hand in, read.' },
  { name: 'questions', description: 'Topics, and the questions of quizzes that have ended.' },
  { name: 'admin', description: 'What only an administrator does.' },
  { name: 'events', description: 'What changed while somebody is looking, as server-sent events.' },
  { name: 'config', description: 'What a browser needs to know at run time.' },
  { name: 'health', description: 'For whoever watches the process.' },
];

/** Who may call an operation, in words. */
export const ACCESS_IN_WORDS: Record<Access, string> = {
  public: '**Who:** anybody; no token is needed.',
  learner: '**Who:** anybody who is signed in.',
  subscriber:
    '**Who:** anybody who is signed in and has service left, or anybody signed in while the service is free.',
  admin: "**Who:** an admin: an admin's address, verified by Google.",
};
