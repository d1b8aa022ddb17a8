import type { Pool, PoolClient, QueryConfig } from 'pg';
import { tracing } from './tracing.ts';

type Query = (...args: unknown[]) => unknown;

/**
 * Creates a span for each statement that runs within another span. It has the statement's name, or its verb
 * and table, and never its values or text.
 */
export function traceQueries(pool: Pool): void {
  wrap(pool);
  pool.on('connect', wrap);
}

function wrap(target: Pool | PoolClient): void {
  const query = target.query.bind(target) as Query;
  const traced: Query = (...args) => {
    const active = tracing();
    // The pool passes a callback to its client, after its own call has created the span.
    if (!active?.isTracing() || typeof args.at(-1) === 'function') return query(...args);
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    const name = describeStatement(args[0] as string | QueryConfig);
    const span = active.startSpan(name, {
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
    });
    result.then(
      () => span.end(),
      (error: unknown) => span.end({ error }),
    );
    return result;
  };
  target.query = traced as typeof target.query;
}

function describeStatement(statement: string | QueryConfig): string {
  const { name, text } = typeof statement === 'string' ? { text: statement } : statement;
  if (name) return name;
  const [verb = 'statement'] = /\w+/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_]+)\b/i.exec(text) ?? [];
  return table ? `${verb.toLowerCase()} ${table}` : verb.toLowerCase();
}
