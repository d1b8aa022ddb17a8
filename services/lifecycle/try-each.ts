/**
 * Calls `work` for each item in turn. A failure does not stop the items after it.
 *
 * @throws the first error, after all items
 */
export async function tryEach<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
