import type { ChangeValues, QuestionChangeAction } from '@proveklar/contract/question-changes.ts';
import { MAX_TAGS } from '@proveklar/contract/limits.ts';
import type { Transaction } from '#database/pool.ts';
import { ARCHIVE_COLUMNS } from './bank-question.ts';

// Bulk changes of a field. Each says, in SQL over `question`, `$3` (the values of the change) and
// `wanted.before` (what the question had before the change, when it is undone), what the field becomes, and
// which questions it concerns. A question that was changed again since is not undone.

/** The actions that set a field to values that the administrator gives. */
export const FIELD_ACTIONS = [
  'add_tags',
  'remove_tags',
  'set_language',
  'set_source',
  'set_checked',
] as const satisfies QuestionChangeAction[];
export type FieldAction = (typeof FIELD_ACTIONS)[number];

export function isFieldAction(action: QuestionChangeAction): action is FieldAction {
  return FIELD_ACTIONS.some((one) => one === action);
}

interface Step {
  /** What each column becomes. */
  to: Record<string, string>;
  where: string;
}

interface Rule {
  /** Whether learners see it, so that the previous content is archived as a version. */
  versioned: boolean;
  apply: Step;
  undo: Step;
}

const GIVEN_TAGS = `array(select jsonb_array_elements_text($3::jsonb -> 'tags'))`;
const BEFORE_TAGS = `array(select jsonb_array_elements_text(wanted.before -> 'tags'))`;
const TAGS_WITH = (added: string) =>
  `question.tags || array(select tag from unnest(${added}) with ordinality as one (tag, place)
     where tag <> all (question.tags) order by place)`;
const TAGS_WITHOUT = (removed: string) =>
  `array(select tag from unnest(question.tags) with ordinality as one (tag, place)
     where tag <> all (${removed}) order by place)`;

/** No other active question has the text in this language, and none of the group is in it. */
const isFree = (language: string) => `not exists (
    select from question other
    where other.language = ${language} and other.id <> question.id and other.retired_at is null
      and question.retired_at is null
      and (other.text_key = question.text_key
           or other.translation_group = question.translation_group))
  and not exists (
    select from wanted twin join question other on other.id = twin.id
    where other.id < question.id and other.retired_at is null and question.retired_at is null
      and (other.text_key = question.text_key
           or other.translation_group = question.translation_group))`;

const RULES: Record<FieldAction, Rule> = {
  add_tags: {
    versioned: false,
    apply: {
      to: { tags: TAGS_WITH(GIVEN_TAGS) },
      where: `not question.tags @> ${GIVEN_TAGS}
        and cardinality(${TAGS_WITH(GIVEN_TAGS)}) <= ${MAX_TAGS}`,
    },
    undo: {
      to: {
        tags: TAGS_WITHOUT(
          `array(select unnest(${GIVEN_TAGS}) except select unnest(${BEFORE_TAGS}))`,
        ),
      },
      where: `question.tags && ${GIVEN_TAGS}`,
    },
  },
  remove_tags: {
    versioned: false,
    apply: {
      to: { tags: TAGS_WITHOUT(GIVEN_TAGS) },
      where: `question.tags && ${GIVEN_TAGS}`,
    },
    undo: {
      to: {
        tags: TAGS_WITH(
          `array(select tag from unnest(${BEFORE_TAGS}) as one (tag) where tag = any (${GIVEN_TAGS}))`,
        ),
      },
      where: `cardinality(question.tags) < ${MAX_TAGS}`,
    },
  },
  set_language: {
    versioned: true,
    apply: {
      to: { language: `$3::jsonb ->> 'language'` },
      where: `question.language <> $3::jsonb ->> 'language' and ${isFree(`$3::jsonb ->> 'language'`)}`,
    },
    undo: {
      to: { language: `wanted.before ->> 'language'` },
      where: `question.language = $3::jsonb ->> 'language'
        and ${isFree(`wanted.before ->> 'language'`)}`,
    },
  },
  set_source: {
    versioned: true,
    apply: {
      to: {
        source_url: `$3::jsonb ->> 'source_url'`,
        source_title: `$3::jsonb ->> 'source_title'`,
      },
      where: `(question.source_url, question.source_title) is distinct from
        ($3::jsonb ->> 'source_url', $3::jsonb ->> 'source_title')`,
    },
    undo: {
      to: {
        source_url: `wanted.before ->> 'source_url'`,
        source_title: `wanted.before ->> 'source_title'`,
      },
      where: `(question.source_url, question.source_title) is not distinct from
        ($3::jsonb ->> 'source_url', $3::jsonb ->> 'source_title')`,
    },
  },
  set_checked: {
    versioned: false,
    apply: {
      to: { checked_at: `($3::jsonb ->> 'checked_at')::date` },
      where: `question.checked_at is distinct from ($3::jsonb ->> 'checked_at')::date`,
    },
    undo: {
      to: { checked_at: `(wanted.before ->> 'checked_at')::date` },
      where: `question.checked_at is not distinct from ($3::jsonb ->> 'checked_at')::date`,
    },
  },
};

interface FieldChange {
  action: FieldAction;
  values: ChangeValues;
  /** Whose name the archived versions get. */
  actor: string;
  ids: number[];
  /** What each had before, in the order of the ids, when the change is undone. */
  before?: unknown[];
}

/**
 * Applies a change to these questions, or undoes it. Those that have the values already, that were changed
 * since, or that may not have them, are skipped.
 *
 * @returns the changed ones, and what each had before
 */
export async function changeFields(
  tx: Transaction,
  { action, values, actor, ids, before }: FieldChange,
): Promise<{ ids: number[]; before: unknown[] }> {
  const { versioned, ...steps } = RULES[action];
  const { to, where } = steps[before ? 'undo' : 'apply'];
  const columns = Object.keys(to);
  const news = Object.entries(to).map(([column, value]) => `${value} as new_${column}`);
  const archived = `, archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, $4 from present)`;
  const { rows } = await tx.query<{ id: number; before: unknown }>(
    `with wanted as (select * from unnest($1::bigint[], $2::jsonb[]) as wanted (id, before)),
     present as (
       select question.*, ${news.join(', ')}
       from question join wanted on wanted.id = question.id
       where ${where}
       order by question.id for no key update of question
     )${versioned ? archived : ''}
     update question set ${columns.map((column) => `${column} = present.new_${column}`).join(', ')}
       ${versioned ? ', version = question.version + 1' : ''}
     from present where question.id = present.id
     returning question.id, jsonb_build_object(
       ${columns.map((column) => `'${column}', present.${column}`).join(', ')}) as before`,
    [ids, before ?? ids.map(() => null), values, ...(versioned ? [actor] : [])],
  );
  return { ids: rows.map(({ id }) => id), before: rows.map((row) => row.before) };
}
