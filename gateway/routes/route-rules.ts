import type { RouteOptions } from 'fastify';
import { ACCESS } from '#plugins/access.ts';

type Schema = Record<string, unknown>;

/** The rules that every route keeps, as faults of one that does not. */
export function routeFaults({ method, url, config, schema }: RouteOptions): string[] {
  const name = `${String(method)} ${url}`;
  const faults: string[] = [];
  if (!config?.access || !ACCESS.includes(config.access)) faults.push('says no access');
  // Files and the OpenAPI document itself are no API calls.
  if (schema?.hide) return faults.map((fault) => `${name} ${fault}`);

  const { body, params, querystring, response } = (schema ?? {}) as Record<string, Schema>;
  if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) && !body && !config?.rawBody) {
    faults.push('has no schema for its body');
  }
  if (url.includes(':') && !params) faults.push('has no schema for its path parameters');
  if (!response?.['4xx'] || !response['5xx']) faults.push('does not declare the error shape');
  for (const [part, part_schema] of Object.entries({ body, params, querystring, response })) {
    for (const path of openObjects(part_schema, part))
      faults.push(`takes unknown fields in ${path}`);
  }
  return faults.map((fault) => `${name} ${fault}`);
}

/** Where a schema has an object that lets unknown fields pass. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Schema;
  const nested = Object.entries(node).flatMap(([key, value]) =>
    openObjects(value, `${path}.${key}`),
  );
  const isOpen =
    node.type === 'object' &&
    node.additionalProperties !== false &&
    // A map from anything to one closed shape.
    node.patternProperties === undefined;
  return isOpen ? [path, ...nested] : nested;
}
