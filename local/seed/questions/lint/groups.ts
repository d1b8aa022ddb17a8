import {
  type BankFile,
  type Entry,
  faultAt,
  fold,
  isPartial,
  optionsOf,
  type Question,
  TOPICS,
} from './bank.ts';

/** What is wrong between questions: places, groups, repetitions, twins and exclusions. */
export function groupingFaults(files: BankFile[]): string[] {
  return [
    ...files.flatMap((file) => [...placeFaults(file), ...repeatedGroups(file)]),
    ...duplicateFaults(files),
    ...twinFaults(files),
    ...excludesFaults(files),
  ];
}

function placeFaults({ slug, language, entries }: BankFile): string[] {
  const topic = TOPICS[slug]?.[language] ?? '';
  return entries.flatMap(({ at, question }) => {
    const faults: string[] = [];
    if (question.language !== language) faults.push(`${at}: language is not "${language}"`);
    if (question.topic !== topic) faults.push(`${at}: topic is not "${topic}"`);
    // The prefix keeps the groups of different topics distinct.
    if (!isGroupOf(slug, question.group)) faults.push(`${at}: group is not "${slug}-<number>"`);
    return faults;
  });
}

function isGroupOf(slug: string, group: string): boolean {
  return group.startsWith(`${slug}-`) && /^\d{3}$/.test(group.slice(slug.length + 1));
}

function repeatedGroups({ entries }: BankFile): string[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ at, question: { group } }) => {
    const first = seen.get(group);
    if (first) return [`${at}: repeats group "${group}" of ${first}`];
    seen.set(group, at);
    return [];
  });
}

function duplicateFaults(files: BankFile[]): string[] {
  const seen = new Map<string, string>();
  return files.flatMap((file) =>
    file.entries.flatMap(({ at, question }) => {
      const key = `${file.language} ${fold(question.question)}`;
      const first = seen.get(key);
      if (first) return [`${at}: same question as ${first}`];
      seen.set(key, at);
      return [];
    }),
  );
}

/** A topic may lack a translation, which is written after Norwegian. */
function twinFaults(files: BankFile[]): string[] {
  return files
    .filter((file) => file.language !== 'no')
    .flatMap((translation) => {
      const { name, slug, language } = translation;
      const norwegian = files.find((file) => file.slug === slug && file.language === 'no');
      if (!norwegian) return [`${name}: no Norwegian file for the same topic`];
      return [
        ...(isPartial(language) ? [] : missingTwins(norwegian, translation)),
        ...missingTwins(translation, norwegian),
        ...twinsOf(norwegian, translation).flatMap(([from, to]) => differences(from, to)),
      ];
    });
}

function missingTwins(from: BankFile, to: BankFile): string[] {
  const groups = new Set(to.entries.map(({ question }) => question.group));
  return from.entries
    .filter(({ question }) => !groups.has(question.group))
    .map(({ at, question }) => `${at}: group "${question.group}" has no twin in ${to.name}`);
}

/** The questions that have a twin, each with it. */
export function twinsOf(norwegian: BankFile, translation: BankFile): [Entry, Entry][] {
  const byGroup = new Map(translation.entries.map((entry) => [entry.question.group, entry]));
  return norwegian.entries.flatMap((entry) => {
    const twin = byGroup.get(entry.question.group);
    return twin ? [[entry, twin]] : [];
  });
}

/** Fields that say the same in each language. */
const SHARED_FIELDS = [
  'tags',
  'source_url',
  'source_title',
  'checked_at',
  'excludes',
  'valid_from',
  'ages',
] as const;

function differences(from: Entry, to: Entry): string[] {
  const differing: string[] = SHARED_FIELDS.filter(
    (field) => JSON.stringify(from.question[field]) !== JSON.stringify(to.question[field]),
  );
  const [image, twinsImage] = [from.question.image, to.question.image];
  if ((image === undefined) !== (twinsImage === undefined)) differing.push('presence of image');
  // A twin may have another picture, with words of its language.
  if (image === twinsImage && shapes(from.question) !== shapes(to.question)) {
    differing.push('shapes of the areas, in the order of the options,');
  }
  // A learner sees two languages side by side; numbers are what can be compared without translating.
  if (numbers(from.question) !== numbers(to.question)) {
    differing.push('numbers of the options, in their order,');
  }
  return differing.map((what) => faultAt(to, `${what} differ from the Norwegian twin`));
}

function shapes({ areas = [], ...question }: Question): string {
  const shapeOf = new Map(areas.map(({ name, shape }) => [name, shape]));
  return JSON.stringify(
    areas.length === 0 ? null : optionsOf(question).map((option) => shapeOf.get(option)),
  );
}

/** Without the separators, which differ: 1,5 and 1.5, 10 000 and 10,000. */
function numbers(question: Question): string {
  const found = optionsOf(question).map((option) =>
    (option.replaceAll(/(?<=\d)[\s.,:](?=\d)/g, '').match(/\d+/g) ?? []).toSorted(),
  );
  return JSON.stringify(found);
}

/** In each language the same two groups exclude each other: a draw reads the list of either. */
function excludesFaults(files: BankFile[]): string[] {
  const entries = files.flatMap((file) => file.entries);
  const byGroup = Map.groupBy(entries, ({ question }) => question.group);
  const faults = entries.flatMap(({ at, question: { group, excludes = [] } }) =>
    excludes.flatMap((other) => {
      if (other === group) return [`${at}: excludes its own group`];
      const others = byGroup.get(other);
      if (!others) return [`${at}: excludes "${other}", which is no group`];
      return others
        .filter(({ question }) => !question.excludes?.includes(group))
        .map(
          (missing) => `${missing.at} (${other}): does not exclude "${group}", which excludes it`,
        );
    }),
  );
  // Both twins of the one group find the same fault of the other.
  return [...new Set(faults)];
}
