// The legal texts exist in Norwegian only (specification, section 1), so they are no i18n keys.

export type LegalDocument = {
  title: string;
  /** What was changed later, and when. */
  changed?: string;
  intro: string;
  sections: { title: string; text: string }[];
};

export const privacy: LegalDocument = {
  title: 'Personvern',
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
      title: 'Rettighetene dine',
      text: 'Etter personvernforordningen (GDPR) kan du be om å få se, rette, få utlevert eller slette opplysningene om deg. Du kan også klage til Datatilsynet. Skriv til oss på adressen nederst på siden.',
    },
  ],
};

export const terms: LegalDocument = {
  title: 'Vilkår',
  intro: 'Disse vilkårene gjelder når du bruker Prøveklar.',
  sections: [
    {
      title: 'Tjenesten',
      text: 'Prøveklar er en øvingstjeneste for samfunnskunnskapsprøven og statsborgerprøven. Tjenesten er privat og ikke tilknyttet HK-dir eller andre myndigheter. Spørsmålene er laget for øving. De er ikke de samme som på den offisielle prøven, og vi kan ikke love at du består.',
    },
    {
      title: 'Pris og tilgang',
      text: 'Prisen og antall dager står der du betaler. Prisen er i norske kroner og inkluderer merverdiavgift. Du betaler én gang. Tilgangen slutter av seg selv, og vi trekker aldri penger uten at du betaler på nytt. Betaler du før tilgangen er ute, legger vi de nye dagene til de gamle. Den lovbestemte angreretten gjelder. Skriv til oss hvis du vil angre kjøpet.',
    },
    {
      title: 'Kontoen din',
      text: 'Kontoen er personlig. Ikke gi passordet til andre. Du kan ikke kopiere spørsmålene for å gi dem ut på nytt. Finner du en feil i et spørsmål, setter vi pris på at du sier fra. Har du spørsmål om tjenesten, finner du kontaktadressen nederst på siden.',
    },
  ],
};

export const cookies: LegalDocument = {
  title: 'Informasjonskapsler',
  changed: 'Endret 20. november 2026: språkvalget lagres i en informasjonskapsel.',
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
