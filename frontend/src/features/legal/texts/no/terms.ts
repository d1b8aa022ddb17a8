import type { LegalDocument } from '../../legal-document.ts';

const document: LegalDocument = {
  title: 'Vilkår',
  description:
    'Vilkårene for å kjøpe og bruke Prøveklar: pris og betaling, når tilgangen starter, angrerett, feil og klager, og hva vi venter av deg.',
  updated: 'Sist oppdatert 14. januar 2025',
  changes: [
    'Endret 26. november 2026: koder for skoler og arbeidsgivere.',
    'Endret 25. november 2026: at betalingssiden kan vise andre måter å betale på enn kort, og at penger går tilbake samme vei.',
    'Endret 23. november 2026: når dagene begynner for den som har angret et kjøp før.',
    'Endret 21. november 2026: hvem som selger, når tilgangen starter, angreretten, rettighetene dine ved feil og forsinkelse, endringer i tjenesten, stenging av konto og hvor du kan klage.',
  ],
  intro:
    'Disse vilkårene gjelder når du kjøper tilgang til Prøveklar og når du bruker tjenesten. Lovene som verner forbrukere, går foran hvis vilkårene skulle si noe annet.',
  sections: [
    {
      id: 'partene',
      title: 'Partene',
      blocks: [
        'Du kjøper av selgeren som står her. «Vi» betyr selgeren. «Du» er den som kjøper eller bruker tjenesten.',
        { seller: true },
        'Hvis du er under 18 år, må en forelder eller verge godta kjøpet.',
      ],
    },
    {
      id: 'tjenesten',
      title: 'Hva du får',
      blocks: [
        'Prøveklar er en nettjeneste der du øver til samfunnskunnskapsprøven og statsborgerprøven. Du får tilgang til quizer og praktiske prøver, resultater og historikk i så mange dager som det står ved betalingsknappen. Du trenger en nyere nettleser og internett.',
        {
          list: [
            'Spørsmålene er laget for øving. De er ikke spørsmålene på den offisielle prøven.',
            'Antall spørsmål, tid og krav for å bestå i den praktiske prøven følger det som er kjent om den offisielle prøven. Myndighetene kan endre prøven uten at vi vet om det med en gang.',
            'Et godt resultat her er ingen garanti for at du består.',
            'Vi arbeider for at spørsmål og svar er riktige, men det kan være feil. Meld gjerne fra.',
            'Prøveklar er en privat tjeneste. Vi er ikke tilknyttet HK-dir, kommunene, UDI eller andre myndigheter, og du kan ikke melde deg opp til prøven hos oss.',
          ],
        },
        'Du kan prøve noen spørsmål gratis og uten konto før du kjøper.',
      ],
    },
    {
      id: 'avtalen',
      title: 'Når avtalen er inngått',
      blocks: [
        'Før du betaler, ser du pris, antall dager og disse vilkårene. Avtalen er inngått når betalingen er gjennomført. Du får en bekreftelse med kvittering på e-post. Kvitteringen finner du også under [Konto](/quiz?tab=account).',
        'Avtalen består av det som sto ved betalingsknappen da du betalte, det du krysset av for, og disse vilkårene.',
      ],
    },
    {
      id: 'pris',
      title: 'Pris',
      blocks: [
        'Prisen står ved knappen der du betaler, i norske kroner. Det er hele prisen. Det kommer ingen gebyrer eller avgifter i tillegg. Hvis selgeren er registrert for merverdiavgift, er avgiften med i prisen, og kvitteringen viser hvor mye den er.',
        'Hvis vi endrer prisen eller antall dager, gjelder det bare for kjøp etter endringen. Hvis tjenesten er gratis, gjelder det som står her om bruk, men du kjøper ikke noe.',
      ],
    },
    {
      id: 'betaling',
      title: 'Betaling',
      blocks: [
        'Du betaler én gang, med kort eller på en annen måte som betalingssiden viser. Stripe gjennomfører betalingen, og banken kan be deg om å bekrefte den. Kortnummeret kommer aldri til oss. Beløpet trekkes når du betaler.',
        'Det er ikke noe abonnement og ingen bindingstid. Tilgangen slutter av seg selv. Vi trekker aldri penger uten at du betaler på nytt.',
      ],
    },
    {
      id: 'levering',
      title: 'Når tilgangen starter og slutter',
      blocks: [
        'Før du betaler, krysser du av for at tilgangen skal starte med en gang. Da kan du øve så snart betalingen er gjennomført, som regel i løpet av noen sekunder. En dag er 24 timer, regnet fra tilgangen starter.',
        'Hvis du har angret et kjøp før, og du betaler uten å be om at tilgangen skal starte med en gang, begynner dagene når angrefristen er over. Vi kjenner igjen e-postadressen og kortet. Du ser datoen på kontoen din og i e-posten om betalingen.',
        'Hvis du betaler før tilgangen er ute, legger vi de nye dagene til de gamle. Hvis du er midt i en quiz når tilgangen slutter, kan du gjøre den ferdig. Resultatene dine blir på kontoen, også når du ikke har tilgang.',
        'Har du betalt, men kommer ikke inn? Da finner du hjelp på siden [Har du betalt, men kommer ikke inn?](/betalt)',
      ],
    },
    {
      id: 'forsinkelse',
      title: 'Hvis tilgangen ikke kommer',
      blocks: [
        'Hvis du ikke får tilgang når du skal, kan du kreve at vi gir deg den med en gang. Hvis vi ikke gjør det uten unødig opphold, eller innen en tid vi blir enige om, kan du si opp avtalen (heve kjøpet) og få alle pengene tilbake. Du kan også ha krav på erstatning. Reglene står i digitalytelsesloven.',
      ],
    },
    {
      id: 'angrerett',
      title: 'Angrerett',
      blocks: [
        'Du kan angre kjøpet i 14 dager fra dagen etter at du betalte. Du trenger ikke å si hvorfor. Hvis den siste dagen er en lørdag, søndag eller helligdag, har du frist til neste virkedag. Datoen står på kvitteringen.',
        'Fordi du ba om å få tilgang med en gang, betaler du for de hele dagene du har hatt tilgang. Resten får du tilbake. Et eksempel: Du betalte 150 kr for 30 dager og angrer etter 10 dager. Da betaler du 50 kr og får tilbake 100 kr. Tilgangen fra kjøpet slutter med en gang.',
        'Du angrer kjøpet selv: Gå til [Konto](/quiz?tab=account), åpne kvitteringen og trykk på «Angre kjøpet». Du kan også sende oss [angrerettskjemaet](/angrerett) eller en e-post med dine egne ord. Du får en bekreftelse på e-post. Les mer om [angreretten](/angrerett).',
      ],
    },
    {
      id: 'koder',
      title: 'Koder for skoler og arbeidsgivere',
      blocks: [
        'Skoler og arbeidsgivere kan kjøpe koder, fra 5 til 100 om gangen, med kort. Hver kode gir én person så mange dager som det står når du kjøper. En kode kan brukes én gang, innen 12 måneder etter kjøpet. Dagene begynner når koden brukes.',
        'Kjøperen kan få pengene tilbake for koder som ikke er brukt, i 14 dager fra dagen etter betalingen, på siden som lenken i e-posten går til. Kodene slutter å virke med en gang. Hvis kjøperen klager på betalingen til banken, virker ikke ubrukte koder før banken har avgjort klagen. Den som har brukt en kode, beholder dagene sine.',
        'Kjøperen ser hvor mange koder som er brukt, og ikke hvem som har brukt dem. Kodene skal ikke selges videre.',
        'Hvis du har brukt en kode, har du ikke betalt oss noe. Vilkårene om bruk, feil og personvern gjelder for deg også.',
      ],
    },
    {
      id: 'feil',
      title: 'Feil ved tjenesten',
      blocks: [
        'Tjenesten skal være slik vi har avtalt, slik du hadde grunn til å vente, og slik den var da du prøvde den. Hvis den ikke er det, har den en mangel. Etter digitalytelsesloven kan du da, når vilkårene i loven er oppfylt:',
        {
          list: [
            'kreve at vi retter feilen gratis og innen rimelig tid',
            'kreve avslag i prisen hvis feilen ikke blir rettet',
            'heve avtalen og få pengene tilbake hvis feilen ikke er liten',
            'kreve erstatning for tap',
          ],
        },
        'Skriv til oss innen rimelig tid etter at du oppdaget feilen, og fortell hva som skjer. Så lenge du har tilgang, er det vi som må vise at tjenesten er i orden.',
        'Et spørsmål med feil kan du melde fra om i quizen. Hvis vi retter et svar, retter vi også resultatet ditt og sier fra til deg.',
      ],
    },
    {
      id: 'tilbakebetaling',
      title: 'Tilbakebetaling',
      blocks: [
        'Penger går alltid tilbake samme vei som du betalte, for eksempel til kortet, senest 14 dager etter at du angret eller hevet avtalen. Det kan ta noen dager før banken viser dem. Hvis vi betaler tilbake en del av beløpet, tar vi tilbake en like stor del av dagene, rundet ned til hele dager.',
        'Hvis du klager på betalingen til banken din, stopper vi dagene fra det kjøpet til banken har avgjort klagen. Hvis banken ikke er enig med deg, får du dagene igjen.',
      ],
    },
    {
      id: 'bruk',
      title: 'Slik bruker du tjenesten',
      blocks: [
        {
          list: [
            'Kontoen er personlig. Ikke del passordet eller la andre bruke kontoen.',
            'Bruk en e-postadresse som er din egen. Det er dit kvitteringen og viktige meldinger går.',
            'Spørsmål, forklaringer og annet innhold er vernet av åndsverkloven. Du kan bruke det til å øve selv, men ikke kopiere, selge eller publisere det.',
            'Ikke hent ut innhold med automatiske programmer, og ikke prøv å komme rundt sikkerheten eller forstyrre tjenesten.',
            'Skriv ikke om andre mennesker når du melder om feil i et spørsmål.',
          ],
        },
      ],
    },
    {
      id: 'oppetid',
      title: 'Når tjenesten er nede',
      blocks: [
        'Vi arbeider for at tjenesten alltid virker, men den kan være nede for vedlikehold eller på grunn av feil. Svar som ikke er sendt ennå, tar nettleseren vare på. Hvis du ikke får brukt tjenesten en lengre tid, skriv til oss, så legger vi til dager. Det begrenser ikke rettighetene du har etter loven.',
      ],
    },
    {
      id: 'endringer-i-tjenesten',
      title: 'Endringer i tjenesten',
      blocks: [
        'Vi kan endre tjenesten når vi har en god grunn: nye regler for prøven, rettede spørsmål, sikkerhet, krav i lov eller nye funksjoner. Det koster deg ikke noe. Hvis en endring gjør tjenesten merkbart dårligere for deg, sier vi fra på e-post i god tid. Da kan du si opp avtalen gratis innen 30 dager og få tilbake penger for dagene som er igjen.',
        'Hvis vi legger ned tjenesten, sier vi fra på e-post og betaler tilbake for dagene som er igjen.',
      ],
    },
    {
      id: 'avslutning',
      title: 'Slette eller stenge kontoen',
      blocks: [
        'Du kan slette kontoen når du vil, under [Konto](/quiz?tab=account). Da mister du dagene som er igjen. Hvis du fortsatt har angrerett, bør du angre kjøpet først.',
        'Vi kan stenge en konto hvis den brukes til svindel, blir delt med andre, eller hvis vilkårene blir brutt på en annen alvorlig måte. Vi sier fra på e-post og forteller hvorfor. Hvis bruddet er mindre alvorlig, får du først en advarsel. Hvis du mener at vi tar feil, skriv til oss. Hvis vi stenger en konto uten at du har gjort noe galt, får du tilbake penger for dagene som er igjen.',
      ],
    },
    {
      id: 'personvern',
      title: 'Personvern',
      blocks: [
        'Hvilke opplysninger vi lagrer og hvilke rettigheter du har, står på siden om [personvern](/personvern). Hva nettleseren lagrer, står på siden om [informasjonskapsler](/cookies).',
      ],
    },
    {
      id: 'klage',
      title: 'Klager og uenighet',
      blocks: [
        'Skriv til oss først. Vi prøver å finne en løsning. Hvis vi ikke blir enige:',
        {
          list: [
            '[Forbrukerrådet](https://www.forbrukerradet.no) gir gratis råd.',
            '[Forbrukertilsynet](https://www.forbrukertilsynet.no) kan mekle gratis mellom deg og oss. Hvis vi ikke blir enige der, kan saken i mange tilfeller gå videre til Forbrukerklageutvalget.',
            'Hvis du bor i et annet land i EU eller EØS, kan forbrukerkontoret der du bor, hjelpe deg. Se [Forbruker Europa](https://www.forbrukereuropa.no).',
          ],
        },
        'Norsk lov gjelder. Hvis du bor i et annet EØS-land, mister du ikke det vernet loven i landet ditt gir deg. Saker som ikke blir løst, går til de vanlige domstolene. Du kan reise sak der du bor.',
      ],
    },
    {
      id: 'endringer',
      title: 'Endringer i vilkårene',
      blocks: [
        'For et kjøp gjelder vilkårene som sto her da du betalte. Nye vilkår gjelder for kjøp etter at de ble publisert. Øverst på siden står dato og hva som er nytt.',
      ],
    },
  ],
};
export default document;
