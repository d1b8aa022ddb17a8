type Json = Record<string, unknown>;

/** Values that differ from call to call. A documented one and a real one must both be of the kind. */
const KINDS = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^pi_\w+_secret_\w+$/,
  /^pi_(?!.*_secret_)\w+$/,
];

/** Numbers that differ from call to call: made by the database, or measured. */
const COUNTED = /^(id|.*_id|time_spent|retry_after_s)$/;

/**
 * How an answer differs from the documented one, a line per difference: fields on one side only,
 * other types, other values. Ids, times and secrets only need to be of the same kind.
 */
export function differences(documented: unknown, real: unknown, path = ''): string[] {
  if (Array.isArray(documented) && Array.isArray(real)) {
    if (documented.length !== real.length) {
      return [`${path} has ${real.length} items, documented are ${documented.length}`];
    }
    const inOrder = sorted(real);
    return sorted(documented).flatMap((item, index) =>
      differences(item, inOrder[index], `${path}[${index}]`),
    );
  }
  if (isObject(documented) && isObject(real)) {
    const names = new Set([...Object.keys(documented), ...Object.keys(real)]);
    return [...names].flatMap((name) => {
      const field = path ? `${path}.${name}` : name;
      if (!(name in real)) return [`${field} is documented, and not in the answer`];
      if (!(name in documented)) return [`${field} is in the answer, and not documented`];
      return differences(documented[name], real[name], field);
    });
  }
  if (Object.is(documented, real) || areOfOneKind(documented, real, path)) return [];
  return [`${path} is ${JSON.stringify(real)}, documented is ${JSON.stringify(documented)}`];
}

function areOfOneKind(documented: unknown, real: unknown, path: string): boolean {
  if (typeof documented === 'string' && typeof real === 'string') {
    const kind = KINDS.find((one) => one.test(documented));
    return kind?.test(real) ?? false;
  }
  const name = path.split('.').at(-1)!;
  return COUNTED.test(name) && Number.isInteger(documented) && Number.isInteger(real);
}

/** Questions are drawn at random: what has a uuid is compared in the order of the uuids. */
function sorted(items: unknown[]): unknown[] {
  if (!items.every((item) => isObject(item) && typeof item.uuid === 'string')) return items;
  return (items as Json[]).toSorted((a, b) => String(a.uuid).localeCompare(String(b.uuid)));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts the real values in the place of the documented ones, wherever they stand. */
export function swap(value: unknown, real: Record<string, string>): unknown {
  if (typeof value === 'string') {
    // The longest first: a secret begins with the id that it belongs to.
    const names = Object.keys(real).toSorted((a, b) => b.length - a.length);
    return names.reduce((text, name) => text.replaceAll(name, real[name]!), value);
  }
  if (Array.isArray(value)) return value.map((item) => swap(item, real));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [String(swap(name, real)), swap(item, real)]),
  );
}

/** The other way round. */
export function swapBack(value: unknown, real: Record<string, string>): unknown {
  return swap(value, Object.fromEntries(Object.entries(real).map(([name, to]) => [to, name])));
}
