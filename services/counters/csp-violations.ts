import { Counter } from 'prom-client';
import { Type } from 'typebox';
import Value from 'typebox/value';
import { AppError } from '#errors/app-error.ts';

/** The directives of the policy in gateway/plugins/security-headers.ts; a report may name others. */
const DIRECTIVES = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'manifest-src',
  'worker-src',
  'connect-src',
  'frame-src',
  'frame-ancestors',
  'form-action',
  'base-uri',
  'object-src',
] as const;

const Text = Type.String({ maxLength: 4_096 });

/** The format of `report-uri`, which Firefox and Safari use: https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const Deprecated = Type.Object({
  'csp-report': Type.Object({
    'effective-directive': Type.Optional(Text),
    'violated-directive': Type.Optional(Text),
    'blocked-uri': Type.Optional(Text),
  }),
});

/** The format of `report-to`, several reports in one request: https://www.w3.org/TR/reporting-1/#media-type */
const Reports = Type.Array(
  Type.Object({
    type: Text,
    body: Type.Object({
      effectiveDirective: Type.Optional(Text),
      blockedURL: Type.Optional(Text),
    }),
  }),
  { maxItems: 100 },
);

/** One violation without personal data: no page URL, no code sample. */
interface CspViolation {
  directive: (typeof DIRECTIVES)[number] | 'other';
  /** `inline`, `eval`, …, the scheme and host of the blocked URL, or `other`. */
  blocked: string;
}

export const cspViolations = new Counter({
  name: 'proveklar_csp_violations_total',
  help: 'What browsers say that the content security policy made them refuse; anyone can send one',
  labelNames: ['directive'] as const,
  registers: [],
});

/**
 * Counts the violations in a browser's report.
 *
 * @param body the raw JSON in either format
 * @returns the counted violations, for the log
 * @throws AppError `validation_failed`
 */
export function countCspViolations(body: Buffer): CspViolation[] {
  const violations = readReport(parse(body));
  for (const { directive } of violations) cspViolations.inc({ directive });
  return violations;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw notAReport();
  }
}

function readReport(report: unknown): CspViolation[] {
  if (Value.Check(Reports, report)) {
    return report
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body }) => toViolation(body.effectiveDirective, body.blockedURL));
  }
  if (!Value.Check(Deprecated, report)) throw notAReport();
  const violation = report['csp-report'];
  const directive = violation['effective-directive'] ?? violation['violated-directive'];
  return [toViolation(directive, violation['blocked-uri'])];
}

function toViolation(directive = '', blocked = ''): CspViolation {
  // `violated-directive` may contain the whole directive.
  const [name] = directive.split(' ');
  return {
    directive: DIRECTIVES.find((known) => known === name) ?? 'other',
    blocked: /^[a-z-]{1,30}$/.test(blocked) ? blocked : originOf(blocked),
  };
}

/** Keeps only the origin, because a path may contain personal data. */
function originOf(address: string): string {
  if (!URL.canParse(address)) return 'other';
  const { protocol, host } = new URL(address);
  // The host of an extension would reveal what the user has installed.
  return /^https?:$/.test(protocol) && host.length <= 100 ? `${protocol}//${host}` : protocol;
}

const notAReport = () => new AppError('validation_failed', { details: { reason: 'not_a_report' } });
