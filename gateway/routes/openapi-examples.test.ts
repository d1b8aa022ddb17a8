import { describe, expect, test } from 'vitest';
import { differences } from '@proveklar/tests/support/examples/compare.ts';
import {
  documentedCalls,
  undocumented,
} from '@proveklar/tests/support/examples/documented-calls.ts';
import { readApi, SET_UPS } from '@proveklar/tests/support/examples/every-example.ts';
import { inOrder, makeCall } from '@proveklar/tests/support/examples/make-call.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

// Loaded before the tests are declared, so that each example is a test.
const { document } = await readApi();
const calls = documentedCalls(document);
const gateway = useTestGateway();

test('every operation is documented completely', () => {
  expect(calls.length).toBeGreaterThan(100);
  expect(undocumented(document)).toEqual([]);
});

test('every set-up belongs to an example', () => {
  const names = new Set(calls.map(({ name }) => name));
  expect(Object.keys(SET_UPS).filter((name) => !names.has(name))).toEqual([]);
});

describe('the response matches the documented example', () => {
  test.each(inOrder(calls, SET_UPS))(
    'the response equals the documented example: $name',
    async (documented) => {
      const real = await makeCall(gateway, documented, SET_UPS);
      const asText = JSON.stringify(real.body, null, 1);
      expect(real.status, asText).toBe(documented.status);
      expect(differences(documented.answer, real.body), asText).toEqual([]);
      if ([429, 503].includes(documented.status))
        expect(real.headers).toHaveProperty('retry-after');
    },
  );
});
