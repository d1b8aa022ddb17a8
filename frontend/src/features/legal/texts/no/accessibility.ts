import type { LegalDocument } from '../../legal-document.ts';

const document: LegalDocument = {
  title: 'Tilgjengelighetserklæring',
  description:
    'Hva Prøveklar gjør for at alle skal kunne øve, hvordan vi tester det, hva som ikke er godt nok ennå, og hvordan du sier fra.',
  updated: 'Sist oppdatert 21. november 2026',
  changes: [],
  intro:
    'Alle skal kunne øve til prøven. Her står hva vi har gjort, hva som ikke er godt nok ennå, og hvordan du sier fra hvis noe stenger deg ute.',
  sections: [
    {
      id: 'maal',
      title: 'Målet vårt',
      blocks: [
        'Norske regler krever at nettsider for folk flest er universelt utformet. For private virksomheter gjelder 35 krav i standarden WCAG 2.0. Vi har satt oss et høyere mål: alle krav på nivå A og AA i WCAG 2.1. Loven krever ikke en slik erklæring av oss. Vi gir den fordi du skal vite hva du kan vente.',
      ],
    },
    {
      id: 'gjort',
      title: 'Dette skal virke',
      blocks: [
        {
          list: [
            'Alt kan brukes med bare tastatur. I en quiz velger du svar med tallene 1–9 eller bokstavene A–I og går videre med Enter. Bokstavene kan du slå av.',
            'Skjermlesere får beskjed om riktig og feil svar, tid og hvor langt du er kommet.',
            'Sidene passer på skjermer fra 320 piksler, og teksten kan forstørres til 200 prosent.',
            'Du kan velge lyst eller mørkt utseende. Hvis du har bedt om mindre bevegelse på maskinen din, viser vi mindre bevegelse.',
            'Farge er aldri det eneste som viser om noe er riktig eller feil.',
            'Du bestemmer selv om quizen skal gå videre automatisk, og du kan skjule klokka i den praktiske prøven.',
            'Tekstene er skrevet på enkelt norsk og finnes på engelsk.',
          ],
        },
      ],
    },
    {
      id: 'testet',
      title: 'Slik tester vi',
      blocks: [
        {
          list: [
            'Hvert skjermbilde blir testet med programmet axe, i lyst og mørkt utseende, hver gang vi gjør en ny utgave.',
            'Samtidig tester vi at alt får plass på en skjerm som er 320 piksler bred og ved 200 prosent forstørring, og at ingenting beveger seg for den som har bedt om det.',
            'Vi går gjennom hele tjenesten med bare tastatur: fra forsiden og de gratis spørsmålene til konto, betaling, quiz, praktisk prøve og resultat.',
            'På veien leser vi det som nettleseren gir videre til skjermlesere.',
          ],
        },
        'Vi har gjort vurderingen selv. Ingen utenfor har kontrollert den.',
      ],
    },
    {
      id: 'mangler',
      title: 'Dette vet vi ikke er godt nok',
      blocks: [
        {
          list: [
            'Kortfeltene kommer fra Stripe, og bekreftelsen av betalingen kommer fra banken din. Vi kan ikke endre dem. Hvis du ikke får til å betale, skriv til oss, så finner vi en annen måte.',
            'Innloggingen med Google er Googles egen. Du kan bruke e-post og passord i stedet.',
            'Opplesing bruker stemmene i nettleseren din. Noen nettlesere har ingen norsk stemme. Da kan vi ikke lese opp.',
            'Ikke alle spørsmål er oversatt til engelsk.',
            'Tjenesten er ikke prøvd av mennesker som bruker skjermleser til daglig. Det kan være feil som vi ikke har sett.',
          ],
        },
      ],
    },
    {
      id: 'si-fra',
      title: 'Si fra til oss',
      blocks: [
        'Hvis det er noe du ikke får til, skriv til oss. Fortell hvilken side det gjelder, og gjerne hvilken nettleser og hvilke hjelpemidler du bruker. Vi svarer så fort vi kan og senest innen 14 dager. Hvis vi ikke kan rette det med en gang, prøver vi å finne en annen løsning for deg.',
        { seller: true },
      ],
    },
    {
      id: 'klage',
      title: 'Hvis du ikke er fornøyd',
      blocks: [
        'Digitaliseringsdirektoratet (Digdir) passer på at reglene om universell utforming av nettsider blir fulgt, også av private. Du kan si fra til tilsynet deres på [uutilsynet.no](https://www.uutilsynet.no).',
      ],
    },
  ],
};
export default document;
