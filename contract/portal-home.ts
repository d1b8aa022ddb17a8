import { type Static, Type } from 'typebox';
import { Closed, OrNull, Ore, Timestamp, Uuid } from './common.ts';
import { LEVELS } from './operations.ts';

// The first page of the portal: what waits for whom, and today's figures.

const Count = Type.Integer({ minimum: 0 });

export const PortalHomeResponse = Closed({
  questions: OrNull(
    Closed({
      pending: Count,
      reported: Type.Integer({ minimum: 0, description: 'Questions with open reports.' }),
      stale: Type.Integer({
        minimum: 0,
        description: 'Facts that are due, and sources that were not checked for a year.',
      }),
      last_import: OrNull(
        Closed({
          id: Uuid,
          file_name: OrNull(Type.String()),
          state: Type.String({ description: 'As in `GET /admin/imports`.' }),
          dry_run: Type.Boolean(),
          imported: Count,
          rejected: Count,
          created_at: Timestamp,
        }),
      ),
    }),
    'For editors and owners.',
  ),
  learners: OrNull(
    Closed({
      payments_waiting: Type.Integer({
        minimum: 0,
        description: 'Payments that need a person, disputes aside.',
      }),
      disputes: Count,
      registered_today: Type.Integer({ minimum: 0, description: 'Since midnight in Oslo.' }),
      practised_today: Type.Integer({ minimum: 0, description: 'Learners who began a quiz.' }),
      quizzes_today: Count,
      payments_today: Count,
      paid_today: Ore('Paid since midnight in Oslo, including VAT; refunds are not subtracted.'),
    }),
    'For support and owners. Numbers alone.',
  ),
  operations: OrNull(
    Closed({
      level: OrNull(Type.Enum(LEVELS), 'Null: no worker has stored a status within a minute.'),
      rejected_events: Count,
      mails_refused: Type.Integer({ minimum: 0, description: 'In the last 24 hours.' }),
    }),
    'For operators and owners.',
  ),
});
export type PortalHomeResponse = Static<typeof PortalHomeResponse>;
