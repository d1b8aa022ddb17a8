import type { FastifyInstance } from 'fastify';
import { listImportsRoute } from './list.ts';
import { nearDuplicatesRoutes } from './near-duplicates.ts';
import { readImportRoute } from './read.ts';
import { importReportRoutes } from './report.ts';
import { stepImportRoutes } from './steps.ts';

export async function importsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(listImportsRoute);
  await app.register(readImportRoute);
  await app.register(stepImportRoutes);
  await app.register(importReportRoutes);
  await app.register(nearDuplicatesRoutes);
}
