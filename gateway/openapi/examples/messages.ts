import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  AudienceResponse,
  ChangeMessageRequest,
  Message,
  MessageContent,
  MessagePreview,
  MessagesResponse,
  NewsConsentRequest,
  NewsConsentResponse,
} from '@proveklar/contract/messages.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

export const MESSAGE_ID = '019bc0f1-3a20-7d41-8b55-6e0f1c2d3a4b';
const PATH = { id: MESSAGE_ID };
export const NEWS_STOP_TOKEN =
  '019bc0f1-3a20-7d41-8b55-6e0f1c2d3a4b.q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c';

export const NIGHT_WORK: MessageContent = {
  kind: 'service',
  audience: 'all',
  texts: {
    no: {
      subject: 'Vi oppgraderer natt til søndag',
      body: 'Natt til søndag kan Prøveklar være borte i noen minutter.\n\nSvarene dine blir lagret.',
    },
  },
};

const NONE = {
  queued: 0,
  sent: 0,
  refused: 0,
  skipped: {
    recent: 0,
    refused_before: 0,
    no_address: 0,
    withdrawn: 0,
    closed: 0,
    interrupted: 0,
  },
};

const DRAFT: Message = {
  id: MESSAGE_ID,
  ...NIGHT_WORK,
  state: 'draft',
  revision: 1,
  is_tested: false,
  created_by: ADMIN_EMAIL,
  created_at: '2026-11-26T09:00:00.000Z',
  updated_at: '2026-11-26T09:00:00.000Z',
  started_at: null,
  ended_at: null,
  total: null,
  counts: NONE,
};

const SENDING: Message = {
  ...DRAFT,
  state: 'sending',
  is_tested: true,
  started_at: '2026-11-26T09:10:00.000Z',
  total: 1,
};

const NOT_FOUND = { not_found: {} } as const;

export const listMessages: OperationDocs<never, MessagesResponse> = {
  operationId: 'listMessages',
  description:
    '20 on a page. While a message is sent, its counts grow; the live topic is `messages`.',
  examples: {
    one: { summary: 'A draft', answer: { messages: [DRAFT], next_before: null } },
    older: {
      summary: 'The page after a message that is the oldest',
      query: { before: MESSAGE_ID },
      answer: { messages: [], next_before: null },
    },
  },
};

export const createMessage: OperationDocs<MessageContent, Message> = {
  operationId: 'createMessage',
  description: 'Creates a draft. Nothing is sent.',
  examples: { night_work: { summary: 'To all learners', body: NIGHT_WORK, answer: DRAFT } },
};

export const countMessageAudience: OperationDocs<never, AudienceResponse> = {
  operationId: 'countMessageAudience',
  description:
    'A learner gets at most one message in seven days, and none at an address that has refused mail.',
  examples: {
    all: {
      summary: 'All learners who read Norwegian',
      query: { kind: 'service', audience: 'all', languages: 'no' },
      answer: { total: 1, recent: 0, refused_before: 0 },
    },
  },
};

export const readMessage: OperationDocs<never, Message> = {
  operationId: 'readMessage',
  description:
    'The sum of `counts` reaches `total` when all learners of the audience were looked at.',
  examples: { draft: { summary: 'A draft', path: PATH, answer: DRAFT } },
  errors: NOT_FOUND,
};

export const changeMessage: OperationDocs<ChangeMessageRequest, Message> = {
  operationId: 'changeMessage',
  description: 'Replaces the content of a draft, which must then be tested again.',
  examples: {
    active: {
      summary: 'To those with access only',
      path: PATH,
      body: { ...NIGHT_WORK, audience: 'active', revision: 1 },
      answer: { ...DRAFT, audience: 'active', revision: 2 },
    },
  },
  errors: { not_found: {}, message_changed: {}, message_state: { details: { state: 'sending' } } },
};

export const deleteMessage: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'deleteMessage',
  description: 'Only a draft can be deleted: of a message that was sent, the record stays.',
  examples: { draft: { summary: 'Delete a draft', path: PATH, answer: { ok: true } } },
  errors: { not_found: {}, message_state: { details: { state: 'sending' } } },
};

export const previewMessage: OperationDocs<never, MessagePreview> = {
  operationId: 'previewMessage',
  description: 'Without the name of a learner. The HTML part of the mail has the same content.',
  examples: {
    norwegian: {
      summary: 'In Norwegian',
      path: PATH,
      query: { language: 'no' },
      answer: {
        subject: 'Vi oppgraderer natt til søndag',
        text: 'Prøveklar\n\nVi oppgraderer natt til søndag\n\nHei!\n\nNatt til søndag kan Prøveklar være borte i noen minutter.\n\nSvarene dine blir lagret.\n\nHar du spørsmål? Skriv til kontakt@example.no.\n\nDette er en melding om tjenesten. Du får den fordi du har konto hos Prøveklar.\n',
      },
    },
  },
  errors: NOT_FOUND,
};

export const testMessage: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'testMessage',
  description:
    "Mails the draft to the caller's address, in each of its languages. `is_tested` is true once they were sent.",
  examples: { draft: { summary: 'Mail it to oneself', path: PATH, answer: { ok: true } } },
  errors: { not_found: {}, message_state: { details: { state: 'sending' } } },
};

export const startMessage: OperationDocs<never, Message> = {
  operationId: 'startMessage',
  description:
    'Sends to those who are in the audience and were registered by now, in batches. The last revision must be tested. A learner gets the message once.',
  examples: { tested: { summary: 'Send a tested draft', path: PATH, answer: SENDING } },
  errors: {
    not_found: {},
    message_not_tested: {},
    message_state: { details: { state: 'sending' } },
  },
};

export const stopMessage: OperationDocs<never, Message> = {
  operationId: 'stopMessage',
  description:
    'Mails that are being sent at this moment are sent; those that wait in the queue are not.',
  examples: {
    sending: { summary: 'Stop', path: PATH, answer: { ...SENDING, state: 'stopped' } },
  },
  errors: { not_found: {}, message_state: { details: { state: 'draft' } } },
};

export const readNewsConsent: OperationDocs<never, NewsConsentResponse> = {
  operationId: 'readNewsConsent',
  description: 'False until the learner agrees: nothing else in the service counts as consent.',
  examples: { none: { summary: 'No consent', answer: { news: false, agreed_at: null } } },
};

export const changeNewsConsent: OperationDocs<NewsConsentRequest, NewsConsentResponse> = {
  operationId: 'changeNewsConsent',
  description:
    'To agree, send the version of the text that was shown as `consent`, which is stored with the time. Withdrawing needs nothing more.',
  examples: {
    agree: {
      summary: 'Agree',
      body: { news: true, consent: 'news-no-2026-11' },
      answer: { news: true, agreed_at: '2026-11-26T09:00:00.000Z' },
    },
    withdraw: {
      summary: 'Withdraw',
      body: { news: false },
      answer: { news: false, agreed_at: null },
    },
  },
  errors: {
    account_disabled: {},
    consent_required: {
      error: 'Send the version of the text that was agreed to',
      details: { field: 'consent' },
    },
    email_refused: {
      error: 'Mails to your address are refused. Change the address, and try again.',
      details: { field: 'news' },
    },
  },
};

export const stopNews: OperationDocs<string, Static<typeof Ok>> = {
  operationId: 'stopNews',
  description:
    'The address of `List-Unsubscribe` in a mail with news (RFC 8058), and the call of the page behind its link. The token stops news only. Repeated calls change nothing.',
  examples: {
    one_click: {
      summary: 'By a mail program',
      query: { token: NEWS_STOP_TOKEN },
      body: 'List-Unsubscribe=One-Click',
      answer: { ok: true },
    },
  },
  errors: {
    not_found: { error: 'This link is not valid. Sign in, and turn the news off under Account.' },
  },
};
