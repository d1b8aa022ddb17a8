import type { AppLanguage } from './language.ts';

/**
 * The subjects of the curriculum of 2012 for the civics course, and the tags of questions that belong to each.
 * Weak areas and the coverage of a bank are reported by these tags.
 */
export const CURRICULUM = [
  {
    subject: 'new_in_norway',
    name: { no: 'Ny innvandrer i Norge', en: 'New in Norway' },
    tags: [
      'opphold og statsborgerskap',
      'folkeregister og offentlige kontorer',
      'kildekritikk og medier',
      'personvern',
    ],
  },
  {
    subject: 'history_geography_way_of_life',
    name: { no: 'Historie, geografi og levesett', en: 'History, geography and way of life' },
    tags: [
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
  },
  {
    subject: 'children_and_family',
    name: { no: 'Barn og familie', en: 'Children and family' },
    tags: [
      'samliv og ekteskap',
      'barn og foreldre',
      'barnevern',
      'vold og samtykke',
      'støtte til familier',
    ],
  },
  {
    subject: 'health',
    name: { no: 'Helse', en: 'Health' },
    tags: ['helsetjenester', 'pasientrettigheter', 'seksuell helse', 'rus og helsevaner'],
  },
  {
    subject: 'education_and_skills',
    name: { no: 'Utdanning og kompetanse', en: 'Education and skills' },
    tags: [
      'barnehage',
      'grunnskole',
      'videregående og fagbrev',
      'høyere utdanning',
      'voksne og godkjenning',
    ],
  },
  {
    subject: 'working_life',
    name: { no: 'Arbeidsliv', en: 'Working life' },
    tags: [
      'arbeidsavtale',
      'lønn',
      'arbeidstid og ferie',
      'arbeidslivets parter',
      'arbeidsmiljø og sikkerhet',
      'oppsigelse',
      'permisjon og fravær',
      'jobbsøking og egen bedrift',
    ],
  },
  {
    subject: 'democracy_and_welfare',
    name: { no: 'Demokrati og velferdssamfunn', en: 'Democracy and the welfare state' },
    tags: [
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
  },
] as const satisfies readonly {
  subject: string;
  name: Record<AppLanguage, string>;
  tags: readonly string[];
}[];
