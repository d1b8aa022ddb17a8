import type { Access } from '#plugins/access.ts';

export const TITLE = 'Prøveklar API';

export const DESCRIPTION = `Practise for the Norwegian civics exam.

**Signing in.** Send a Firebase ID token: \`Authorization: Bearer <token>\`. Each operation says who may
call it.

**Bodies** are JSON. Unknown fields are rejected. Times are ISO 8601 in UTC; amounts are in øre unless the
field says NOK.

**Errors** have one shape: \`error\` is a message for people, \`code\` is stable and meant for programs,
\`details\` names the field or holds what the code documents. A 500 holds only the id of the request.

**Rate limits.** Public calls: 600 a minute from one address. Expensive operations have their own limits.
Above a limit the response is 429, with \`Retry-After\` in seconds.

**Malformed requests.** A request that is not HTTP gets 400, headers above 16 KiB get 431, and headers that
do not arrive within 30 seconds get 408; then the connection is closed. This can happen to any operation, so
each refers to these responses in \`components/responses\`, in the shape of all errors.

A test calls every example on this page and compares the response.`;

/** As the file LICENSE says. */
export const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' };

export const TAGS = [
  { name: 'account', description: 'The account of the signed-in user, and its days of service.' },
  {
    name: 'payment',
    description:
      'Registration and extension of the service. Card data goes from the browser to Stripe, never to us.',
  },
  { name: 'quiz', description: 'Drills and practice tests: start, answer, hand in and read.' },
  { name: 'learning', description: 'What a learner knows, readiness for the exam, and the plan.' },
  { name: 'questions', description: 'Topics, and the questions of ended quizzes.' },
  { name: 'admin', description: 'Operations for administrators.' },
  { name: 'events', description: 'Live updates, as server-sent events.' },
  { name: 'config', description: 'Runtime configuration of the browser app.' },
  { name: 'health', description: 'Health checks, for monitoring and load balancers.' },
];

/** Who may call an operation, as text. */
export const ACCESS_DESCRIPTIONS: Record<Access, string> = {
  public: '**Access:** public; no token is needed.',
  learner: '**Access:** any signed-in user.',
  subscriber:
    '**Access:** signed-in users with service left; any signed-in user while the service is free.',
  editor: '**Access:** editors and owners of the portal, signed in by Google.',
  support: '**Access:** support and owners of the portal, signed in by Google.',
  editor_or_support: '**Access:** editors, support and owners of the portal, signed in by Google.',
  operator: '**Access:** operators and owners of the portal, signed in by Google.',
  portal: '**Access:** everyone who works in the portal, signed in by Google.',
  owner: '**Access:** owners: an address in ADMIN_EMAIL, verified by Google.',
};
