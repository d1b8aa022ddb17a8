import type { LegalDocument } from '../../legal-document.ts';

const document: LegalDocument = {
  title: 'Informasjonskapsler',
  description:
    'Hvilke informasjonskapsler Prøveklar bruker, hva nettleseren din ellers husker for oss, hvor lenge, og hvordan du sletter det.',
  updated: 'Sist oppdatert 14. januar 2025',
  changes: [
    'Endret 21. november 2026: en liste over alt som lagres i nettleseren, og hvor lenge. Nytt er valget av lyst eller mørkt utseende, smakebiten og siden som vises når du er uten nett.',
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
          table: {
            head: ['Navn og formål', 'Hvor lenge'],
            rows: [
              ['i18next: språket du har valgt, slik at sidene kommer på det språket', '1 år'],
              [
                'colour-scheme: at du har valgt lyst eller mørkt utseende. Lagres bare når du velger selv',
                '1 år',
              ],
            ],
          },
        },
      ],
    },
    {
      id: 'nettleseren',
      title: 'Det nettleseren ellers husker',
      blocks: [
        {
          table: {
            head: ['Navn og formål', 'Hvor lenge'],
            rows: [
              ['i18nextLng: språket som sidene ble vist på', 'Til du sletter det'],
              ['proveklar.exam: hvilken prøve du øver til', 'Til du sletter det'],
              [
                'proveklar.auto-advance: om quizen skal gå videre av seg selv',
                'Til du sletter det',
              ],
              [
                'proveklar.unsent: svar som ikke er sendt til oss ennå, for eksempel fordi nettet var nede',
                'Til de er sendt, høyst 30 dager',
              ],
              ['payment: et tilfeldig tall som hindrer at du betaler to ganger', '6 timer'],
              ['proveklar.shown-question: hvor du er i en quiz', 'Til du lukker fanen'],
              ['proveklar.sample: svarene dine i smakebiten', 'Til du lukker fanen'],
              [
                'firebaseLocalStorageDb: at du er logget inn, fra innloggingstjenesten Firebase Authentication. Lagres når du logger inn',
                'Til du logger ut',
              ],
              [
                'offline: siden som vises når du er uten nett, uten opplysninger om deg',
                'Til du sletter det',
              ],
            ],
          },
        },
        'Disse opplysningene blir i nettleseren. De svarene som venter, sendes til oss når nettet er tilbake.',
      ],
    },
    {
      id: 'andre',
      title: 'Fra andre enn oss',
      blocks: [
        'Når du skal betale, laster vi inn kortskjemaet fra Stripe. For å hindre svindel lagrer Stripe egne informasjonskapsler, blant annet __stripe_mid (1 år) og __stripe_sid (30 minutter). De er nødvendige for en trygg betaling og lastes bare inn når du skal betale. Les [Stripes side om informasjonskapsler](https://stripe.com/cookies-policy/legal).',
        'Logger du inn med Google, åpnes et vindu fra Google. Der bruker Google sine egne informasjonskapsler. Velger du e-post og passord, åpnes det ikke.',
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
        'Du kan slette alt dette i innstillingene i nettleseren, som regel under «Personvern» og «Nettstedsdata». Da må du logge inn og velge språk på nytt. Svar som ikke er sendt ennå, blir borte. Sperrer du for informasjonskapsler, kan du fortsatt lese sidene, men innlogging og betaling kan slutte å virke.',
      ],
    },
  ],
};
export default document;
