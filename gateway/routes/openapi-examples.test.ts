import { describe, expect, test } from 'vitest';
import { accountSetUps } from '@proveklar/tests/support/examples/account.ts';
import { adminCurationSetUps } from '@proveklar/tests/support/examples/admin-curation.ts';
import { adminPaymentsSetUps } from '@proveklar/tests/support/examples/admin-payments.ts';
import { differences } from '@proveklar/tests/support/examples/compare.ts';
import {
  documentedCalls,
  undocumented,
} from '@proveklar/tests/support/examples/documented-calls.ts';
import { importsSetUps } from '@proveklar/tests/support/examples/imports.ts';
import { nearDuplicatesSetUps } from '@proveklar/tests/support/examples/near-duplicates.ts';
import { isEarly, makeCall } from '@proveklar/tests/support/examples/make-call.ts';
import { paymentSetUps } from '@proveklar/tests/support/examples/payment.ts';
import { purchasesSetUps } from '@proveklar/tests/support/examples/purchases.ts';
import { questionBankSetUps } from '@proveklar/tests/support/examples/question-bank.ts';
import { questionQualitySetUps } from '@proveklar/tests/support/examples/question-quality.ts';
import { quizSetUps } from '@proveklar/tests/support/examples/quiz.ts';
import { sampleSetUps } from '@proveklar/tests/support/examples/sample.ts';
import { usersSetUps } from '@proveklar/tests/support/examples/users.ts';
import { testConfig, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import type { ApiDocument } from '#openapi/document.ts';
import { buildApp } from '../app.ts';
import { createDeps } from '../deps.ts';

const SET_UPS = {
  ...accountSetUps,
  ...adminCurationSetUps,
  ...adminPaymentsSetUps,
  ...importsSetUps,
  ...nearDuplicatesSetUps,
  ...paymentSetUps,
  ...purchasesSetUps,
  ...questionBankSetUps,
  ...questionQualitySetUps,
  ...quizSetUps,
  ...sampleSetUps,
  ...usersSetUps,
};

const document = await readDocument();
const calls = documentedCalls(document);
const gateway = useTestGateway();

test('every operation has all that its reader needs', () => {
  expect(calls.length).toBeGreaterThan(100);
  expect(undocumented(document)).toEqual([]);
});

test('every set-up belongs to an example', () => {
  const names = new Set(calls.map(({ name }) => name));
  expect(Object.keys(SET_UPS).filter((name) => !names.has(name))).toEqual([]);
});

describe('the answer is the documented one', () => {
  // The calls of one operation that leave the database as it was come last, and find it as the first does.
  const [early, others] = [true, false].map((wanted) =>
    calls.filter((call) => isEarly(call, SET_UPS) === wanted),
  );

  test.each([...others!, ...early!])('$name', async (documented) => {
    const real = await makeCall(gateway, documented, SET_UPS);
    const asText = JSON.stringify(real.body, null, 1);
    expect(real.status, asText).toBe(documented.status);
    expect(differences(documented.answer, real.body), asText).toEqual([]);
    if ([429, 503].includes(documented.status)) expect(real.headers).toHaveProperty('retry-after');
  });
});

/** Before the tests begin, so that each example is a test. It needs nothing that has to run. */
async function readDocument(): Promise<ApiDocument> {
  const nowhere = 'http://127.0.0.1:1';
  const identity = { host: '127.0.0.1:1', projectId: 'nowhere' };
  const config = testConfig('postgres://x:x@127.0.0.1:1/x', identity, nowhere);
  const app = await buildApp(createDeps(config, () => {}));
  await app.ready();
  const made = app.swagger() as unknown as ApiDocument;
  await app.close();
  return made;
}
