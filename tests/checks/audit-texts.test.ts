import { describe, expect, test } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_FIELDS } from '@proveklar/services/audit/record-action.ts';
import { FIELDS } from '@proveklar/services/questions/question-content.ts';
import { DecideRowRequest } from '@proveklar/contract/imports.ts';
import { AUDIENCES, MESSAGE_KINDS } from '@proveklar/contract/messages.ts';
import { QUALITY_REASONS } from '@proveklar/contract/question-quality.ts';
import { QUESTION_CHANGE_ACTIONS } from '@proveklar/contract/question-changes.ts';
import {
  QUESTION_STATES,
  QuestionFilter,
  VALIDATION_STATES,
} from '@proveklar/contract/questions.ts';
import { Exam } from '@proveklar/contract/quiz.ts';
import { MEMBER_ROLES } from '@proveklar/contract/roles.ts';
import en from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import no from '../../frontend/src/texts/admin.no.json' with { type: 'json' };

/** The values of details that are codes, by field. */
const CODES: Record<string, readonly string[]> = {
  action: QUESTION_CHANGE_ACTIONS,
  audience: AUDIENCES,
  decision: DecideRowRequest.properties.action.enum,
  kind: MESSAGE_KINDS,
  reason: QUALITY_REASONS,
  role: [...MEMBER_ROLES, 'owner'],
  // Of reports that were closed, and of questions in a filter.
  state: ['fixed', 'dismissed', ...QUESTION_STATES],
  validation: VALIDATION_STATES,
};

describe.each([
  { language: 'no', texts: no },
  { language: 'en', texts: en },
])('the log in words ($language)', ({ texts: { audit, settings } }) => {
  test('has a sentence for every action', () => {
    const sentences = Object.entries(audit.action).flatMap(([area, actions]) =>
      Object.keys(actions).map((action) => `${area}.${action}`),
    );
    expect(sentences.toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  });

  test('has a name for every field of the details', () => {
    expect(Object.keys(audit.field).toSorted()).toEqual(AUDIT_FIELDS.toSorted());
    const named: readonly string[] = AUDIT_FIELDS;
    const recorded = [...FIELDS, ...Object.keys(QuestionFilter.properties)];
    expect(recorded.filter((field) => !named.includes(field))).toEqual([]);
  });

  test('has a word for every value that is a code', () => {
    const words = Object.entries(audit.value).map(([field, values]) => [
      field,
      Object.keys(values).toSorted(),
    ]);
    expect(Object.fromEntries(words)).toEqual(
      Object.fromEntries(Object.entries(CODES).map(([field, codes]) => [field, codes.toSorted()])),
    );
    const exams = Exam.anyOf.map(({ const: name }) => name);
    expect(Object.keys(settings.exams.names).toSorted()).toEqual(exams.toSorted());
  });
});
