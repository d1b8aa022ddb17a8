/** A question as in an import file; `question` is different for every index. */
export interface GeneratedQuestion {
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
}

const OPENINGS = [
  'Hva var den viktigste grunnen til at',
  'Hvem bestemte til slutt at',
  'Hvilken følge fikk det at',
  'Hva mener historikerne om at',
  'Hvilket vedtak førte til at',
  'Hvordan forklarte avisene at',
  'Hvilken lov gjorde det mulig at',
  'Hvilken instans skal ha beskjed når det viser seg at',
  'Hva gjorde kommunestyret etter at',
  'Hvilken rettighet bygger på at',
  'Hva svarte departementet på spørsmålet om at',
  'Hvilken plikt hadde innbyggerne etter at',
];
const SUBJECTS = [
  ['Demokrati og velferd', 'stemmeretten ble utvidet for innbyggere'],
  ['Demokrati og velferd', 'folketrygden ble innført for familier'],
  ['Demokrati og velferd', 'det ble valgt nytt kommunestyre'],
  ['Historie', 'det første stortingsmøtet ble forberedt av utsendinger'],
  ['Historie', 'jernbanen ble åpnet for reisende'],
  ['Historie', 'unionen ble oppløst etter krav fra folket'],
  ['Geografi', 'kysten og fjordene ble kartlagt for skipsfarten'],
  ['Geografi', 'nasjonalparken ble opprettet ved fjellene'],
  ['Utdanning', 'grunnskolen ble obligatorisk for barn'],
  ['Utdanning', 'voksne fikk rett til opplæring i norsk'],
  ['Helse', 'fastlegeordningen kom i gang for pasienter'],
  ['Helse', 'helsestasjonen tilbød gratis vaksine'],
  ['Arbeidsliv', 'arbeidsmiljøloven ga kortere arbeidsdag'],
  ['Arbeidsliv', 'fagforeningen forhandlet fram høyere lønn'],
  ['Barn og familie', 'barnehagen fikk plass til alle barn'],
  ['Barn og familie', 'foreldrepengene ble delt mellom mor og far'],
  ['Norge og verden', 'landet sluttet seg til avtalen om samarbeid'],
  ['Norge og verden', 'hjelpearbeidet ble sendt til nabolandene'],
] as const;
const PLACES = [
  'Oslo Bergen Trondheim Stavanger Tromsø Drammen Fredrikstad Kristiansand Sandnes Ålesund',
  'Tønsberg Moss Haugesund Sandefjord Arendal Bodø Hamar Larvik Halden Lillehammer Gjøvik',
  'Molde Harstad Kongsberg Horten Narvik Alta Kirkenes Vadsø Hammerfest Svolvær Røros Voss',
  'Førde Florø Kragerø Egersund Flekkefjord Namsos Steinkjer Mosjøen',
].flatMap((line) => line.split(' '));
const OCCASIONS = [
  'før stortingsvalget',
  'etter streiken',
  'under den kalde vinteren',
  'da budsjettet var vedtatt',
  'på 17. mai',
  'ved årets slutt',
  'midt på sommeren',
  'etter mange høringer',
  'da avisene skrev om saken',
  'uten at noen protesterte',
  'med støtte fra fylket',
];
const FIRST_YEAR = 1815;
const YEARS = 211;
const ANSWERS = [
  'Stortinget vedtok en ny lov',
  'Kommunen brukte egne midler',
  'Innbyggerne samlet underskrifter',
  'Regjeringen satte ned et utvalg',
  'Domstolen avgjorde saken',
  'Fylkesmannen ga tillatelse',
  'En folkeavstemning fikk flertall',
  'Partiene ble enige om et forlik',
  'Fagforeningene krevde det',
  'Arbeidsgiverne betalte for det',
  'Kongen undertegnet i statsråd',
  'Skolene ba om det i et brev',
  'Grunnloven ble endret',
  'Menigheten drev det fram',
  'Foreldrene tok saken opp',
  'Legene advarte mot å vente',
  'Ingen av dem hadde ansvar for det',
];

const CAPACITY = OPENINGS.length * SUBJECTS.length * PLACES.length * OCCASIONS.length * YEARS;
// Coprime to the capacity: consecutive indexes visit every text once, and neighbours in the file differ.
const STRIDE = 7_368_787;

/**
 * The question of an index. Deterministic.
 *
 * @param index below 20 million; every index has another text
 * @param seed the position of the first index in the collection
 */
export function questionAt(index: number, seed = 1): GeneratedQuestion {
  if (index >= CAPACITY) throw new Error(`There are no more than ${CAPACITY} questions.`);
  const chosen = ((index % CAPACITY) * STRIDE + seed * 104_729) % CAPACITY;
  let rest = chosen;
  const take = <T>(items: ArrayLike<T>): T => {
    const item = items[rest % items.length]!;
    rest = Math.floor(rest / items.length);
    return item;
  };
  const opening = take(OPENINGS);
  const [topic, happening] = take(SUBJECTS);
  const place = take(PLACES);
  const occasion = take(OCCASIONS);
  const year = FIRST_YEAR + rest;
  return {
    language: 'no',
    topic,
    question: `${opening} ${happening} i ${place} ${occasion} i ${year}?`,
    ...optionsOf(chosen),
  };
}

/** Four distinct answers: `ANSWERS` has a prime length, so no step repeats one of them. */
function optionsOf(chosen: number): Pick<GeneratedQuestion, 'answer' | 'incorrect'> {
  const step = 1 + (chosen % (ANSWERS.length - 1));
  const [answer, ...incorrect] = [0, 1, 2, 3].map(
    (turn) => ANSWERS[(chosen + turn * step) % ANSWERS.length]!,
  );
  return { answer: answer!, incorrect };
}
