import { type BankFile, faultAt, optionsOf, type Question, wordsOf } from './bank.ts';

// Nynorsk lets its writers choose between forms. Learners see one form of each word, and no bokmål.

/** Words that we do not write, with the one that we do. Leaves out what is also another word of nynorsk, such as "de". */
const FORMS: Record<string, readonly string[]> = {
  annan: ['annen'],
  anna: ['annet'],
  arbeidsgivar: ['arbeidsgiver', 'arbeidsgiveren'],
  arbeidstakar: ['arbeidstaker', 'arbeidstakeren'],
  berre: ['bare'],
  bu: ['bo'],
  bur: ['bor'],
  blei: ['ble'],
  deira: ['deres'],
  då: ['da'],
  eg: ['jeg'],
  eige: ['eget', 'eie'],
  eigen: ['egen'],
  eigne: ['egne'],
  eitt: ['ett'],
  finst: ['finnes'],
  fleire: ['flere'],
  frå: ['fra'],
  gir: ['gjev'],
  gjeld: ['gjelder'],
  gjer: ['gjør'],
  gjere: ['gjøre', 'gjera'],
  Grunnlova: ['grunnloven'],
  heile: ['hele'],
  heim: ['hjem'],
  heime: ['hjemme'],
  heiter: ['heter'],
  ho: ['hun'],
  høyre: ['høre'],
  høyrer: ['hører'],
  Høgsterett: ['høyesterett'],
  ikkje: ['ikke'],
  kjem: ['kommer'],
  kome: ['komme', 'koma'],
  'kor or kvar': ['hvor'],
  korleis: ['hvordan'],
  krev: ['krever'],
  kva: ['hva', 'hvilken', 'hvilket', 'hvilke'],
  kvar: ['hver'],
  kvarandre: ['hverandre'],
  kvart: ['hvert'],
  kven: ['hvem'],
  kvifor: ['hvorfor'],
  lova: ['loven'],
  månad: ['måned', 'måneder', 'måneden'],
  medan: ['mens'],
  meir: ['mer'],
  mykje: ['mye'],
  no: ['nå'],
  noko: ['noe'],
  'nokon or nokre': ['noen'],
  Noreg: ['norge'],
  Noregs: ['norges'],
  pengar: ['penger', 'pengene'],
  regjeringa: ['regjeringen'],
  rettar: ['rettighet', 'rettigheter'],
  same: ['samme'],
  saman: ['sammen'],
  seier: ['sier'],
  sjuk: ['syk'],
  sjukdom: ['sykdom'],
  sjølv: ['selv'],
  skule: ['skole', 'skolen'],
  spørje: ['spørre'],
  tek: ['tar'],
  tilsett: ['ansatt', 'ansatte'],
  timar: ['timer'],
  treng: ['trenger'],
  utan: ['uten'],
  val: ['valg', 'valget'],
  veit: ['vet'],
  veke: ['uke', 'uker'],
  vere: ['være', 'vera'],
  viss: ['hvis', 'dersom'],
  vore: ['vært'],
};

const WRITTEN = new Map(
  Object.entries(FORMS).flatMap(([written, others]) => others.map((word) => [word, written])),
);

/** Our infinitives end in -e, except the short ones, such as "ta" and "dra". */
const INFINITIVE_IN_A = /(?<!\p{L})å (\p{L}{3,}a)(?!\p{L})/giu;
const SHORT_INFINITIVES: ReadonlySet<string> = new Set(['dra']);

export function nynorskFaults(files: BankFile[]): string[] {
  return files
    .filter(({ language }) => language === 'nn')
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => formFaults(entry.question).map((fault) => faultAt(entry, fault)));
}

function formFaults(question: Question): string[] {
  const { explanation, incorrect_reasons: reasons } = question;
  const texts = [question.question, ...optionsOf(question), ...reasons, explanation];
  const text = texts.join(' / ');
  const forms = [...new Set(wordsOf(text))].flatMap((word) => {
    const written = WRITTEN.get(word);
    return written ? [`"${word}" is written "${written}" in our Nynorsk`] : [];
  });
  const infinitives = [...text.matchAll(INFINITIVE_IN_A)].map(([, word]) => word!);
  return [
    ...forms,
    ...infinitives
      .filter((word) => !SHORT_INFINITIVES.has(word))
      .map((word) => `the infinitive "${word}" does not end in -e`),
  ];
}
