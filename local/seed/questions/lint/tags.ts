import { type BankFile, faultAt, isRewritten, TOPICS } from './bank.ts';

/**
 * The closed list of tags, by the subjects of the curriculum of 2012 for the civics course. Weak areas are reported
 * by tag, so each must have enough questions: at most 60 tags.
 */
const TAGS_BY_SUBJECT = {
  'ny innvandrer i Norge': [
    'opphold og statsborgerskap',
    'folkeregister og offentlige kontorer',
    'kildekritikk og medier',
    'personvern',
  ],
  'historie, geografi og levesett': [
    'vikingtid og middelalder',
    'unionstid og grunnloven',
    'okkupasjon og krig',
    'etterkrigstid',
    'kvinner og arbeiderbevegelse',
    'samer og minoriteter',
    'kunst og symboler',
    'landskap og steder',
    'vær og natur',
    'klima og bærekraft',
    'befolkning og språk',
    'næringer og ressurser',
    'nabolandene',
    'bolig',
    'privatøkonomi og forbruk',
    'tro og høytider',
    'trafikk og transport',
  ],
  'barn og familie': [
    'samliv og ekteskap',
    'barn og foreldre',
    'barnevern',
    'vold og samtykke',
    'støtte til familier',
  ],
  helse: ['helsetjenester', 'pasientrettigheter', 'seksuell helse', 'rus og helsevaner'],
  'utdanning og kompetanse': [
    'barnehage',
    'grunnskole',
    'videregående og fagbrev',
    'høyere utdanning',
    'voksne og godkjenning',
  ],
  arbeidsliv: [
    'arbeidsavtale',
    'lønn',
    'arbeidstid og ferie',
    'arbeidslivets parter',
    'arbeidsmiljø og sikkerhet',
    'oppsigelse',
    'permisjon og fravær',
    'jobbsøking og egen bedrift',
  ],
  'demokrati og velferdssamfunn': [
    'valg og partier',
    'storting og regjering',
    'rettsstat og domstoler',
    'politi og straff',
    'menneskerettigheter',
    'likestilling og diskriminering',
    'kommune og fylke',
    'forvaltning og klage',
    'internasjonalt samarbeid',
    'forsvar og beredskap',
    'statens økonomi',
    'folketrygden',
    'sykdom og uførhet',
    'arbeidsledighet',
    'pensjon',
    'skatt',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Adds a question to the free sample; it belongs to no subject. */
const SAMPLE_TAG = 'smakebit';
const MAX_SUBJECT_TAGS = 3;

const SUBJECT_TAGS: ReadonlySet<string> = new Set(Object.values(TAGS_BY_SUBJECT).flat());

/** All tags that a question may have. */
export const TAGS: readonly string[] = [...SUBJECT_TAGS, SAMPLE_TAG];

/** Tags outside the list, too few or too many, and tags that no question has. */
export function tagFaults(files: BankFile[]): string[] {
  const entries = files.flatMap((file) => file.entries);
  const faults = entries.filter(isRewritten).flatMap((entry) => {
    const tags = entry.question.tags ?? [];
    const subjectTags = tags.filter((tag) => tag !== SAMPLE_TAG);
    const unlisted = subjectTags.filter((tag) => !SUBJECT_TAGS.has(tag));
    const found = unlisted.map((tag) => `tag "${tag}" is not in the list`);
    if (subjectTags.length === 0) found.push('has no tag of a subject');
    if (subjectTags.length > MAX_SUBJECT_TAGS) {
      found.push(`has more than ${MAX_SUBJECT_TAGS} tags of subjects`);
    }
    return found.map((fault) => faultAt(entry, fault));
  });
  return [...faults, ...unusedTags(files)];
}

/** Says nothing before the bank is complete: each tag belongs to some topic. */
function unusedTags(files: BankFile[]): string[] {
  const slugs = new Set(files.map(({ slug }) => slug));
  const entries = files.flatMap((file) => file.entries);
  if (slugs.size < Object.keys(TOPICS).length || !entries.every(isRewritten)) return [];
  const used = new Set(entries.flatMap(({ question }) => question.tags ?? []));
  return TAGS.filter((tag) => !used.has(tag)).map((tag) => `no question has the tag "${tag}"`);
}
