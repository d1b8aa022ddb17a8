import type { RouteOptions } from 'fastify';
import { buildApp } from '@proveklar/gateway/app.ts';
import type { ApiDocument } from '@proveklar/gateway/openapi/document.ts';
import { createTestDeps, testConfig } from '../gateway.ts';
import { accountSetUps } from './account.ts';
import { adminCurationSetUps } from './admin-curation.ts';
import { adminPaymentsSetUps } from './admin-payments.ts';
import { bankReleasesSetUps } from './bank-releases.ts';
import { codeSetUps } from './codes.ts';
import { glossarySetUps } from './glossary.ts';
import { imagesSetUps } from './images.ts';
import { importsSetUps } from './imports.ts';
import { membersSetUps } from './members.ts';
import { moneySetUps } from './money.ts';
import { messagesSetUps } from './messages.ts';
import { nearDuplicatesSetUps } from './near-duplicates.ts';
import { operationsSetUps } from './operations.ts';
import { paymentSetUps } from './payment.ts';
import { purchasesSetUps } from './purchases.ts';
import { questionBankSetUps } from './question-bank.ts';
import { questionQualitySetUps } from './question-quality.ts';
import { quizSetUps } from './quiz.ts';
import { sampleSetUps } from './sample.ts';
import type { SetUps } from './set-up.ts';
import { usersSetUps } from './users.ts';

/** The set-up of each example. */
export const SET_UPS: SetUps = {
  ...accountSetUps,
  ...adminCurationSetUps,
  ...adminPaymentsSetUps,
  ...bankReleasesSetUps,
  ...codeSetUps,
  ...glossarySetUps,
  ...imagesSetUps,
  ...importsSetUps,
  ...membersSetUps,
  ...moneySetUps,
  ...messagesSetUps,
  ...nearDuplicatesSetUps,
  ...operationsSetUps,
  ...paymentSetUps,
  ...purchasesSetUps,
  ...questionBankSetUps,
  ...questionQualitySetUps,
  ...quizSetUps,
  ...sampleSetUps,
  ...usersSetUps,
};

/** The API document and the routes that it describes. No server needs to run for it. */
export async function readApi(): Promise<{
  document: ApiDocument;
  routes: readonly RouteOptions[];
}> {
  const unreachableUrl = 'http://127.0.0.1:1';
  const identity = { host: '127.0.0.1:1', projectId: 'nowhere' };
  const config = testConfig('postgres://x:x@127.0.0.1:1/x', identity, unreachableUrl);
  const app = await buildApp(createTestDeps(config));
  await app.ready();
  const { routes } = app;
  const document = app.swagger() as unknown as ApiDocument;
  await app.close();
  return { document, routes };
}
