import type { FastifyInstance } from 'fastify';
import { cancelPaymentRoute } from './cancel.ts';
import { confirmRoute } from './confirm.ts';
import { confirmRegistrationRoute } from './confirm-registration.ts';
import { createIntentRoute } from './create-intent.ts';
import { createRegistrationIntentRoute } from './create-registration-intent.ts';
import { searchPaymentsRoute } from './search.ts';

export async function paymentRoutes(app: FastifyInstance): Promise<void> {
  await app.register(createRegistrationIntentRoute);
  await app.register(confirmRegistrationRoute);
  await app.register(createIntentRoute);
  await app.register(confirmRoute);
  await app.register(cancelPaymentRoute);
  await app.register(searchPaymentsRoute);
}
