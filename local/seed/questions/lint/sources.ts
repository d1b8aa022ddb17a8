import { type BankFile, type Entry, faultAt } from './bank.ts';

const SOURCE_FIELDS = ['source_url', 'source_title', 'checked_at'] as const;

/** Parameters that follow a reader and change nothing on the page. */
const TRACKING =
  /^(?:utm_.*|mc_.*|pk_.*|_hs.*|fbclid|gclid|dclid|msclkid|igshid|yclid|ref|ref_src)$/i;
/** Names that resolve only inside a network, or nowhere (RFC 2606, RFC 6762). */
const PRIVATE_NAME = /\.(?:localhost|local|internal|intranet|lan|home|test|invalid|example)$/;

const MAX_AGE_YEARS = 2;

/** Faults of the sources, which fail the check. */
export function sourceFaults(files: BankFile[], today: string): string[] {
  return files
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => {
      const { source_url: url, checked_at: checked } = entry.question;
      const present = SOURCE_FIELDS.filter((field) => entry.question[field] !== undefined);
      const faults = url === undefined ? [] : addressFaults(url);
      if (present.length > 0 && present.length < SOURCE_FIELDS.length) {
        faults.push(`${SOURCE_FIELDS.join(', ')} belong together`);
      }
      if (checked !== undefined && checked > today) faults.push('checked_at is in the future');
      return faults.map((fault) => faultAt(entry, fault));
    });
}

function addressFaults(address: string): string[] {
  if (!URL.canParse(address)) return ['source_url is no address'];
  const url = new URL(address);
  const faults: string[] = [];
  if (url.protocol !== 'https:') faults.push('source_url is not https');
  if (!isPublic(url)) faults.push(`source_url has no public host: ${url.host}`);
  const tracking = [...url.searchParams.keys()].find((key) => TRACKING.test(key));
  if (tracking !== undefined) faults.push(`source_url follows its readers: ${tracking}`);
  return faults;
}

/** Whether a reader anywhere can open it: a name under a top-level domain, without port and password. */
function isPublic({ hostname, port, username }: URL): boolean {
  const hasDomain = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(hostname);
  return hasDomain && !PRIVATE_NAME.test(hostname) && port === '' && username === '';
}

/** What someone should look at again. No fault, because otherwise time alone would break the check. */
export function sourceWarnings(files: BankFile[], today: string): string[] {
  const thisYear = Number(today.slice(0, 4));
  const oldest = `${thisYear - MAX_AGE_YEARS}${today.slice(4)}`;
  return files
    .flatMap(({ entries }) => entries)
    .flatMap((entry: Entry) => {
      const { checked_at: checked, ages } = entry.question;
      const warnings: string[] = [];
      if (checked !== undefined && checked < oldest) {
        warnings.push(`look again at its source, last read on ${checked}`);
      }
      if (ages !== undefined && ages <= thisYear) warnings.push(`look again: it ages in ${ages}`);
      return warnings.map((warning) => faultAt(entry, warning));
    });
}

/** The hosts of the sources with the number of questions that cite them, most cited first. */
export function countHosts(entries: Entry[]): [host: string, count: number][] {
  const hosts = entries.flatMap(({ question: { source_url: url } }) =>
    url !== undefined && URL.canParse(url) ? [new URL(url).hostname.replace(/^www\./, '')] : [],
  );
  return [...Map.groupBy(hosts, (host) => host)]
    .map(([host, of]): [string, number] => [host, of.length])
    .toSorted(([, a], [, b]) => b - a);
}
