import type { FastifyInstance } from 'fastify';
import { listPaymentsRoutes } from './list.ts';
import { readPaymentRoute } from './read.ts';
import { reconciliationsRoutes } from './reconciliations.ts';
import { refundRoute } from './refund.ts';

export async function adminPaymentsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(listPaymentsRoutes);
  await app.register(reconciliationsRoutes);
  await app.register(readPaymentRoute);
  await app.register(refundRoute);
}
