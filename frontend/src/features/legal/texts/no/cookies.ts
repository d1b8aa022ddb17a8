import type { LegalDocument } from '../../legal-document.ts';

const document: LegalDocument = {
  title: 'Informasjonskapsler',
  description:
    'Hvilke informasjonskapsler Prøveklar bruker, hva nettleseren din ellers husker for oss, hvor lenge, og hvordan du sletter det.',
  updated: 'Sist oppdatert 14. januar 2025',
  changes: [
    'Endret 27. november 2026: listen har fått med svaret på spørsmålet på forsiden, hvor klar du var før den siste quizen, hvor langt ned du var på en side, og valg i adminportalen. Hvilken prøve du øver til, og om quizen går videre av seg selv, lagres på kontoen når du har en.',
    'Endret 21. november 2026: en liste over alt som lagres i nettleseren, og hvor lenge. Nytt er valgene dine for quizen og utseendet, en informasjonskapsel om at noen er logget inn, de gratis spørsmålene og siden som vises når du er uten nett.',
    'Endret 20. november 2026: språkvalget lagres i en informasjonskapsel.',
  ],
  intro:
    'Prøveklar bruker ikke informasjonskapsler til reklame eller sporing. Det som lagres i nettleseren din, trengs for at tjenesten skal virke slik du ber om. Derfor spør vi deg ikke om samtykke.',
  sections: [
    {
      id: 'hva',
      title: 'Hva er informasjonskapsler?',
      blocks: [
        'En informasjonskapsel (cookie) er en liten tekst som nettleseren lagrer, og som blir sendt til nettstedet neste gang du er der. Nettleseren har også egne lagre som bare brukes på maskinen din. Reglene i ekomloven § 3-15 gjelder for begge deler. Det som er nødvendig for en tjeneste du selv har bedt om, krever ikke samtykke.',
      ],
    },
    {
      id: 'kapsler',
      title: 'Våre informasjonskapsler',
      blocks: [
        {
          head: ['Navn og formål', 'Hvor lenge'],
          stored: [
            ['i18next', 'Språket du har valgt, slik at sidene kommer på det språket', '1 år'],
            [
              'colour-scheme',
              'At du har valgt lyst eller mørkt utseende. Lagres bare når du velger selv',
              '1 år',
            ],
            [
              'signed-in',
              'At noen er logget inn her, slik at du får riktig side med en gang',
              'Til du logger ut, høyst 1 år',
            ],
          ],
        },
      ],
    },
    {
      id: 'nettleseren',
      title: 'Det nettleseren ellers husker',
      blocks: [
        {
          head: ['Navn og formål', 'Hvor lenge'],
          stored: [
            ['i18nextLng', 'Språket som sidene ble vist på', 'Til du sletter det'],
            [
              'proveklar.exam, proveklar.timed, proveklar.test-language, proveklar.clock',
              'Hvilken prøve du øver til (bare til kontoen har valget), med eller uten tid, på hvilket språk, og om klokka vises',
              'Til du sletter det',
            ],
            [
              'proveklar.question-count, proveklar.question-language',
              'Hvor mange spørsmål du vil ha når du øver på et tema, og på hvilket språk',
              'Til du sletter det',
            ],
            [
              'proveklar.auto-advance, proveklar.advance-without-feedback, proveklar.sample-auto-advance, proveklar.quiz-keys, proveklar.reading-speed',
              'Om quizen (bare til kontoen har valget), prøven og de gratis spørsmålene går videre av seg selv, om du svarer med bokstaver, og hvor fort spørsmålet leses opp',
              'Til du sletter det',
            ],
            [
              'proveklar.unsent',
              'Svar og merker som ikke er sendt til oss ennå, for eksempel fordi nettet var nede',
              'Til de er sendt eller du sletter kontoen, høyst 30 dager',
            ],
            [
              'payment',
              'Et tilfeldig tall som hindrer at du betaler to ganger',
              'Til du har betalt. Gjelder i 6 timer, og slettes ellers neste gang du skal betale',
            ],
            ['email-change', 'E-postadressen du har bedt om å bytte til', '1 døgn'],
            [
              'proveklar.portal-keys, proveklar.portal-views',
              'Hurtigtaster og lagrede visninger i adminportalen',
              'Til du sletter dem',
            ],
            ['proveklar.shown-question', 'Hvor du er i en quiz', 'Til du lukker fanen'],
            [
              'tsr-scroll-restoration-v1_3',
              'Hvor langt ned du var på en side, slik at du kommer dit når du går tilbake',
              'Til du lukker fanen',
            ],
            [
              'proveklar.before',
              'Hvor klar du var for prøven før den siste quizen, så resultatet kan vise hva som er endret',
              'Til du lukker fanen',
            ],
            ['proveklar.sample', 'Svarene dine på de gratis spørsmålene', 'Til du lukker fanen'],
            [
              'proveklar.tried',
              'Svaret ditt på spørsmålet på forsiden',
              'Til du åpner de gratis spørsmålene, eller lukker fanen',
            ],
            [
              'firebaseLocalStorageDb',
              'At du er logget inn, fra innloggingstjenesten Firebase Authentication. Lagres når du logger inn',
              'Til du logger ut',
            ],
            [
              'firebase-heartbeat-database',
              'Hvilken utgave av innloggingen nettleseren brukte, og hvilke dager',
              'Til du sletter det',
            ],
            [
              'offline',
              'Siden som vises når du er uten nett, uten opplysninger om deg',
              'Til du sletter det',
            ],
          ],
        },
        'Ingenting av dette brukes til å følge med på hva du gjør. Svarene som venter, sendes til oss når nettet er tilbake. At du er logget inn, sendes med når siden henter noe fra kontoen din.',
      ],
    },
    {
      id: 'andre',
      title: 'Fra andre enn oss',
      blocks: [
        'Når du skal betale, laster vi inn kortskjemaet fra Stripe. For å hindre svindel lagrer Stripe egne informasjonskapsler, blant annet __stripe_mid (1 år) og __stripe_sid (30 minutter). De er nødvendige for en trygg betaling og lastes bare inn når du skal betale. Les [Stripes side om informasjonskapsler](https://stripe.com/cookies-policy/legal).',
        'Hvis du logger inn med Google, åpnes et vindu fra Google. Der bruker Google sine egne informasjonskapsler. Hvis du velger e-post og passord, åpnes det ikke.',
      ],
    },
    {
      id: 'statistikk',
      title: 'Bruksstatistikk',
      blocks: [
        'Bruksstatistikken er vår egen og bruker ikke informasjonskapsler eller noe annet i nettleseren din. Hva vi teller, står på siden om [personvern](/personvern).',
      ],
    },
    {
      id: 'slette',
      title: 'Slik sletter du det',
      blocks: [
        'Du kan slette alt dette i innstillingene i nettleseren, som regel under «Personvern» og «Nettstedsdata». Da må du logge inn og velge språk på nytt. Svar som ikke er sendt ennå, blir borte. Hvis du sperrer for informasjonskapsler, kan du fortsatt lese sidene, men innlogging og betaling kan slutte å virke.',
      ],
    },
  ],
};
export default document;
