import { Counter } from 'prom-client';
import { EVENTS } from '#events/catalogue.ts';

/**
 * What happens in the service: quizzes, answers, payments, registrations. For a picture, not for the
 * books: a relay that is killed right after taking events has not counted them.
 */
export const eventsTaken = new Counter({
  name: 'proveklar_events_total',
  help: 'Events taken from the outbox',
  labelNames: ['event'],
  registers: [],
});

for (const event of Object.keys(EVENTS)) eventsTaken.inc({ event }, 0);
