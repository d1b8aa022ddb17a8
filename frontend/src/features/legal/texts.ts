// The legal texts exist in Norwegian only (specification, section 1), so they are no i18n keys.

export type LegalDocument = {
  title: string;
  /** What was changed later, and when: the newest first. */
  changes?: readonly string[];
  intro: string;
  sections: readonly LegalSection[];
};

export type LegalSection = {
  title: string;
  text: string;
  /** Who sells, from the settings, below the text. */
  seller?: true;
  /** Where more is said. */
  link?: { to: '/angrerett'; text: string };
};

export const privacy: LegalDocument = {
  title: 'Personvern',
  changes: [
    'Endret 21. november 2026: hva vi lagrer om betalinger, kvitteringer og angrede kjøp, og om adressen du betaler fra.',
  ],
  intro:
    'Her kan du lese hvilke opplysninger Prøveklar lagrer om deg, hvorfor vi gjør det, og hvilke rettigheter du har.',
  sections: [
    {
      title: 'Hva vi lagrer',
      text: 'Vi lagrer e-postadressen din og navnet ditt hvis du oppgir det. Innloggingen går gjennom tjenesten Firebase Authentication, som tar vare på passordet ditt for oss. Vi ser det aldri. Vi lagrer også quizene dine, svarene dine, betalingene dine og hvor lenge du har tilgang.',
    },
    {
      title: 'Hvorfor vi lagrer det',
      text: 'Vi trenger e-postadressen for at du skal kunne logge inn. Vi trenger svarene for å vise resultatet ditt. Vi teller hvor mange som svarer riktig på hvert spørsmål, slik at spørsmålene kan bli bedre. Kortbetaling går gjennom Stripe. Kortnummeret ditt kommer aldri til oss. Bruksstatistikken er vår egen og bruker ikke informasjonskapsler.',
    },
    {
      title: 'Betalinger',
      text: 'Om hver betaling lagrer vi beløp, tid, hvilken tilgang du fikk, kvitteringen, hvilken tekst du sa ja til før du betalte, og om penger er betalt tilbake. Bokføringsloven krever at vi tar vare på kvitteringer i fem år. Sletter vi kontoen din, blir betalingene stående uten navnet og e-postadressen din. Nettadressen (IP-adressen) du betaler fra, lagrer vi i ett døgn. Den hindrer at noen prøver ut stjålne kort hos oss.',
    },
    {
      title: 'Rettighetene dine',
      text: 'Etter personvernforordningen (GDPR) kan du be om å få se, rette, få utlevert eller slette opplysningene om deg. Du kan også klage til Datatilsynet. Skriv til oss på adressen nederst på siden.',
    },
  ],
};

export const terms: LegalDocument = {
  title: 'Vilkår',
  changes: [
    'Endret 21. november 2026: hvem som selger, når tilgangen starter, angreretten, tilbakebetaling og hvor du kan klage.',
  ],
  intro: 'Disse vilkårene gjelder når du bruker Prøveklar.',
  sections: [
    {
      title: 'Tjenesten',
      text: 'Prøveklar er en øvingstjeneste for samfunnskunnskapsprøven og statsborgerprøven. Tjenesten er privat og ikke tilknyttet HK-dir eller andre myndigheter. Spørsmålene er laget for øving. De er ikke de samme som på den offisielle prøven, og vi kan ikke love at du består.',
    },
    {
      title: 'Selger',
      text: 'Du kjøper av den som driver Prøveklar. E-postadressen står under, sammen med navn, organisasjonsnummer og adresse.',
      seller: true,
    },
    {
      title: 'Pris og betaling',
      text: 'Prisen og antall dager står ved knappen der du betaler. Prisen er i norske kroner, og merverdiavgiften er med. Du betaler én gang med kort, gjennom Stripe. Det er ikke noe abonnement. Tilgangen slutter av seg selv, og vi trekker aldri penger uten at du betaler på nytt. Du finner kvitteringen under «Konto».',
    },
    {
      title: 'Når tilgangen starter',
      text: 'Før du betaler, krysser du av for at tilgangen skal starte med en gang. Da kan du øve så snart betalingen er gjennomført. Betaler du før tilgangen er ute, legger vi de nye dagene til de gamle.',
    },
    {
      title: 'Angrerett',
      text: 'Du kan angre kjøpet i 14 dager fra dagen etter at du betalte. Du trenger ikke å si hvorfor. Fordi du ba om å få tilgang med en gang, betaler du for de hele dagene du har hatt tilgang. Resten får du tilbake på kortet ditt. Tilgangen fra kjøpet slutter da med en gang. Du angrer kjøpet selv på kvitteringen din under «Konto», eller du sender oss en melding.',
      link: { to: '/angrerett', text: 'Les mer om angreretten, og finn angrerettskjemaet' },
    },
    {
      title: 'Tilbakebetaling',
      text: 'Penger går alltid tilbake til kortet du betalte med, senest 14 dager etter at du angret. Det kan ta noen dager før banken viser dem. Betaler vi tilbake en del av beløpet, tar vi tilbake en like stor del av dagene. Klager du på betalingen til banken din, stopper vi dagene fra kjøpet til klagen er avgjort.',
    },
    {
      title: 'Feil og klager',
      text: 'Virker ikke tjenesten slik den skal, skriv til oss så snart du kan. Blir vi ikke enige, kan du få gratis hjelp av Forbrukerrådet (forbrukerradet.no) og klage til Forbrukertilsynet (forbrukertilsynet.no). Norsk lov gjelder.',
    },
    {
      title: 'Kontoen din',
      text: 'Kontoen er personlig. Ikke gi passordet til andre. Du kan ikke kopiere spørsmålene for å gi dem ut på nytt. Finner du en feil i et spørsmål, setter vi pris på at du sier fra. Har du spørsmål om tjenesten, finner du kontaktadressen nederst på siden.',
    },
  ],
};

export const cookies: LegalDocument = {
  title: 'Informasjonskapsler',
  changes: ['Endret 20. november 2026: språkvalget lagres i en informasjonskapsel.'],
  intro:
    'Prøveklar bruker ikke informasjonskapsler til reklame eller sporing. Derfor spør vi deg heller ikke om samtykke.',
  sections: [
    {
      title: 'Hva som lagres i nettleseren din',
      text: 'Nettleseren husker hvilket språk du valgte, om du vil gå videre automatisk i en quiz, hvilken prøve du øver til, og svar som ikke er sendt ennå. Når du logger inn, lagrer innloggingstjenesten Firebase Authentication at du er logget inn, slik at du slipper å gjøre det hver gang. Velger du språk, ligger valget også i en informasjonskapsel (i18next) i ett år, slik at sidene kommer på det språket. Alt dette er nødvendig for at tjenesten skal virke slik du ber om.',
    },
    {
      title: 'Betaling',
      text: 'Når du betaler, laster vi inn kortskjemaet fra Stripe. Stripe kan bruke egne informasjonskapsler for å hindre svindel. De lastes bare inn når du skal betale.',
    },
    {
      title: 'Bruksstatistikk',
      text: 'Bruksstatistikken er vår egen og bruker ikke informasjonskapsler. Du kan når som helst slette det som er lagret, i innstillingene i nettleseren. Da må du logge inn og velge språk på nytt.',
    },
  ],
};
