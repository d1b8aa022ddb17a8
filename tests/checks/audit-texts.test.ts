import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '@proveklar/services/audit/record-action.ts';
import { QUALITY_REASONS } from '@proveklar/contract/question-quality.ts';
import { QUESTION_CHANGE_ACTIONS } from '@proveklar/contract/question-changes.ts';
import en from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import no from '../../frontend/src/texts/admin.no.json' with { type: 'json' };

test.each([
  { language: 'no', texts: no.audit },
  { language: 'en', texts: en.audit },
])('the log has a sentence for everything that is kept ($language)', ({ texts }) => {
  const sentences = Object.entries(texts.action).flatMap(([area, actions]) =>
    Object.keys(actions).map((action) => `${area}.${action}`),
  );
  expect(sentences.toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
});

test.each([
  { language: 'no', texts: no.audit },
  { language: 'en', texts: en.audit },
])('the log has a word for every kept value that is a code ($language)', ({ texts }) => {
  const { action, reason, state } = texts.value;
  expect(Object.keys(action).toSorted()).toEqual(QUESTION_CHANGE_ACTIONS.toSorted());
  expect(Object.keys(state)).toEqual(['fixed', 'dismissed', 'active', 'retired', 'all']);
  expect(Object.keys(reason).toSorted()).toEqual(QUALITY_REASONS.toSorted());
});
