// Over 400 lines: one legal document, which is read as a whole.

import type { LegalDocument } from '../../legal-document.ts';

const document: LegalDocument = {
  title: 'Personvern',
  description:
    'Hvilke opplysninger Prøveklar lagrer om deg, hvorfor og hvor lenge, hvem som får dem, og hvordan du får se, rette eller slette dem.',
  updated: 'Sist oppdatert 14. januar 2025',
  changes: [
    'Endret 27. november 2026: når vi ikke sender e-post før vi sletter en konto.',
    'Endret 26. november 2026: at du kan si ja til nyheter på e-post, at vi sletter kontoer som ikke er brukt på to år, og sender e-post før vi gjør det, at betalinger slettes når regnskapet ikke lenger må tas vare på, og hvor lenge vi husker samtykket til påminnelser.',
    'Endret 26. november 2026: hva vi lagrer om koder for skoler og arbeidsgivere.',
    'Endret 24. november 2026: hva vi lagrer når noen ber om en lenke for å velge passord.',
    'Endret 23. november 2026: at vi regner ut hva du husker og hvor klar du er, og lagrer planen din og hvor lenge et spørsmål vises, at vi i to år husker hvilke e-postadresser og kort som har angret et kjøp, i en form som ikke kan leses, at du får e-post når en administrator stenger, åpner eller sletter kontoen din, og at du kan be om påminnelser på e-post.',
    'Endret 22. november 2026: hvor lenge det står navn i loggen over det en administrator gjør, at vi teller i minnet hvor mange sider og kall som kommer fra en IP-adresse, og at vi lagrer en kortere del av lange IP-adresser.',
    'Endret 21. november 2026: formål, grunnlag og lagringstid for hver type opplysninger, hvem som får dem, hvordan du laster ned eller sletter dem, og hva vi lagrer om betalinger, kvitteringer, angrede kjøp og adressen du betaler fra.',
  ],
  intro:
    'Her kan du lese hvilke opplysninger Prøveklar lagrer om deg, hvorfor vi gjør det, hvor lenge vi har dem, og hvilke rettigheter du har.',
  sections: [
    {
      id: 'kort-fortalt',
      title: 'Kort fortalt',
      blocks: [
        {
          list: [
            'Vi lagrer e-postadressen din, et navn hvis du vil oppgi det, øvingen din og kjøpene dine.',
            'Vi lagrer aldri passordet ditt, og vi ser aldri kortnummeret ditt.',
            'Vi selger ikke opplysninger om deg, viser ikke reklame og sporer deg ikke på andre nettsider.',
            'Bruksstatistikken er vår egen og bruker ikke informasjonskapsler.',
            'Du kan laste ned det vi har om deg, og slette kontoen din selv.',
            'Vi forteller ikke andre at du har konto hos oss.',
          ],
        },
      ],
    },
    {
      id: 'ansvarlig',
      title: 'Hvem er ansvarlig?',
      blocks: [
        'Den som selger Prøveklar, er behandlingsansvarlig. Det betyr at selgeren bestemmer hvorfor og hvordan opplysningene brukes, og har ansvaret for dem. Hvis du har spørsmål om personvern, skriver du til denne adressen:',
        { seller: true },
      ],
    },
    {
      id: 'opplysninger',
      title: 'Hva vi lagrer, hvorfor og hvor lenge',
      blocks: [
        'Grunnlaget er en bokstav i personvernforordningen (GDPR) artikkel 6 nr. 1. Loven sier at vi må ha et slikt grunnlag for alt vi lagrer om deg.',
        {
          facts: [
            {
              title: 'Kontoen og innloggingen',
              rows: [
                [
                  'Hva',
                  'E-postadressen din, navnet eller brukernavnet du oppgir, språket ditt, når du registrerte deg, når du sist logget inn, hvilken dag du sist brukte kontoen, om du har vist at e-postadressen er din, når eldre innlogginger ble avsluttet, og hvor lenge du har tilgang. Navnet trenger ikke å være ditt eget, og du kan fjerne det. Hvis du logger inn med Google, får innloggingstjenesten e-postadressen, navnet og profilbildet ditt fra Google. Passordet er det bare innloggingstjenesten som tar vare på.',
                ],
                ['Hvorfor', 'For at du skal kunne logge inn og få den tilgangen du har kjøpt.'],
                ['Grunnlag', 'Avtalen med deg (bokstav b).'],
                [
                  'Hvor lenge',
                  'Til du sletter kontoen, eller til du ikke har brukt den på to år og ikke har dager igjen. Da sletter vi den. Vi sender deg en e-post minst 30 dager før, og hvis du logger inn, blir kontoen stående. Hvis du aldri har bekreftet e-postadressen eller betalt, sender vi ingen e-post, for adressen kan være en annens. Etter slettingen blir bare et internt nummer, språket og datoene for registrering og tilgang igjen, uten navn og e-postadresse. Det trenger vi for at den slettede kontoen ikke skal kunne åpnes på nytt. Når du laster ned dataene dine eller endrer profilen, lagrer vi tidspunktet i et par timer, så ingen gjør det så ofte at tjenesten blir treg.',
                ],
              ],
            },
            {
              title: 'Øvingen din',
              rows: [
                [
                  'Hva',
                  'Hvilke quizer og prøver du har tatt, spørsmålene du fikk, svarene dine, hva du merket, resultatene, tidspunktene og hvor lenge et spørsmål ble vist før du svarte. Planen din: hvilken prøve du øver til, datoen for den og målet for hver dag. Ut fra svarene regner vi ut hvor godt du husker hvert spørsmål, og hvor sannsynlig det er at du består. Hvis du sier hvordan prøven gikk, lagrer vi det uten kontoen din.',
                ],
                [
                  'Hvorfor',
                  'For å vise deg resultatet, la deg fortsette der du slapp, vise hvilke temaer du bør øve mer på, og velge spørsmålene i dagens øving. Kundestøtte ser hvor godt du husker, og hvor klar du er, bare hvis du har sagt ja til det.',
                ],
                ['Grunnlag', 'Avtalen med deg (bokstav b).'],
                ['Hvor lenge', 'Til du sletter kontoen.'],
              ],
            },
            {
              title: 'Feil du melder om et spørsmål',
              rows: [
                ['Hva', 'Hvilket spørsmål det gjelder, grunnen og kommentaren du skriver.'],
                ['Hvorfor', 'For å rette feil i spørsmålene.'],
                ['Grunnlag', 'Vår interesse i å ha riktige spørsmål (bokstav f).'],
                ['Hvor lenge', 'Til du sletter kontoen.'],
              ],
            },
            {
              title: 'Kjøp og kvitteringer',
              rows: [
                [
                  'Hva',
                  'Beløp, tidspunkt, antall dager, kvittering, hvilken tekst du sa ja til før du betalte og når, tilbakebetalinger, klager til banken, kort som ble avvist (uten kortnummer), og Stripes nummer på betalingen.',
                ],
                [
                  'Hvorfor',
                  'For å gi deg det du har betalt for, føre regnskap og kunne vise hva som ble avtalt.',
                ],
                ['Grunnlag', 'Avtalen med deg (bokstav b) og bokføringsloven (bokstav c).'],
                [
                  'Hvor lenge',
                  'Bokføringsloven krever at vi tar vare på regnskapet i fem år etter slutten av året. Hvis du sletter kontoen, blir betalingene stående uten navnet og e-postadressen din. Når de fem årene er gått, sletter vi betalingene og kvitteringene.',
                ],
              ],
            },
            {
              title: 'Koder for skoler og arbeidsgivere',
              rows: [
                [
                  'Hva',
                  'Om kjøperen: navnet på skolen eller arbeidsgiveren, organisasjonsnummeret, e-postadressen som kodene sendes til, og kjøpet. Om deg som bruker en kode: at dagene dine kommer fra den koden, og når du brukte den. Hvis du registrerer deg med en kode og ikke fullfører, lagrer vi e-postadressen din i ett døgn.',
                ],
                [
                  'Hvorfor',
                  'For å gi dagene til den som har koden, én gang. Kjøperen ser bare hvor mange koder som er brukt. Kjøperen ser aldri hvem som har brukt dem, eller hvordan du svarer.',
                ],
                ['Grunnlag', 'Avtalen (bokstav b) og bokføringsloven (bokstav c).'],
                [
                  'Hvor lenge',
                  'Kjøpet lagres i fem år etter slutten av året, som andre kjøp, også hvis kjøperen sletter en konto med samme adresse. Hvis det ikke er betalt, fjerner vi navn og adresse etter 30 dager. Kodene lagrer vi bare i en form som ikke kan leses, når kjøperen har tatt vare på dem, senest etter 14 dager.',
                ],
              ],
            },
            {
              title: 'Kjøp som ble angret',
              rows: [
                [
                  'Hva',
                  'Et kjennemerke (hash) som er regnet ut av e-postadressen, og ett som er regnet ut av Stripes kjennetegn for kortet, og når kjøpet ble angret. Kjennemerkene er laget med en hemmelig nøkkel. Uten den kan ingen finne ut hvem de gjelder.',
                ],
                [
                  'Hvorfor',
                  'For at ingen skal bruke tjenesten gratis om og om igjen ved å angre. Hvis noen betaler på nytt uten å be om tilgang med en gang, begynner dagene når angrefristen er over.',
                ],
                ['Grunnlag', 'Vår interesse i å hindre misbruk (bokstav f).'],
                [
                  'Hvor lenge',
                  'To år. Kjennemerkene blir ikke slettet sammen med kontoen. Filen du laster ned, sier om vi husker adressen din. Kjennemerket for kortet kan vi ikke finne igjen uten en betaling med kortet.',
                ],
              ],
            },
            {
              title: 'Registreringer som ikke ble fullført',
              rows: [
                ['Hva', 'E-postadressen og brukernavnet du skrev inn.'],
                [
                  'Hvorfor',
                  'For at du skal kunne fullføre, og for at vi skal finne betalingen hvis noe gikk galt.',
                ],
                ['Grunnlag', 'Du ba om å få inngå en avtale (bokstav b).'],
                [
                  'Hvor lenge',
                  'Hvis det ikke er betalt, stopper vi betalingen etter ett døgn og fjerner navnet og adressen 30 dager senere. Hvis tjenesten er gratis, slettes forsøket etter ett døgn.',
                ],
              ],
            },
            {
              title: 'IP-adressen din',
              rows: [
                [
                  'Hva',
                  'Adressen du bruker når du begynner en betaling, registrerer deg gratis, ber om en lenke for passord, eller ber oss lete etter en betaling. Av lange adresser (IPv6) lagrer vi mindre enn den første halvdelen. I minnet, og ikke i databasen, teller vi også i ett minutt hvor mange sider og kall som kommer fra en adresse.',
                ],
                [
                  'Hvorfor',
                  'For å hindre at noen prøver ut stjålne kort, oppretter mange kontoer, sender e-post i andres navn eller gjør tjenesten treg for andre.',
                ],
                ['Grunnlag', 'Vår interesse i å hindre svindel (bokstav f).'],
                ['Hvor lenge', 'Omtrent ett døgn.'],
              ],
            },
            {
              title: 'Lenker for å velge passord',
              rows: [
                [
                  'Hva',
                  'E-postadressen og språket ditt når noen ber om en lenke, når den ble sendt, og om den er brukt. Lenken selv lagrer vi ikke, bare et kjennemerke (hash) som er regnet ut av den.',
                ],
                ['Hvorfor', 'For at du skal kunne velge et nytt passord, og bare du.'],
                ['Grunnlag', 'Avtalen med deg (bokstav b).'],
                [
                  'Hvor lenge',
                  'Omtrent ett døgn. Hvis vi sendte lenken uten at du ba om den, kan det bli fire døgn.',
                ],
              ],
            },
            {
              title: 'Når du ber oss lete etter en betaling',
              rows: [
                ['Hva', 'E-postadressen du skriver, og språket ditt.'],
                ['Hvorfor', 'For å finne betalingen og svare deg på e-post.'],
                ['Grunnlag', 'Vår interesse i å hjelpe deg (bokstav f).'],
                ['Hvor lenge', 'Søket i omtrent ett døgn, og at svaret ble sendt, i to døgn.'],
              ],
            },
            {
              title: 'E-post fra oss',
              rows: [
                [
                  'Hva',
                  'At vi har sendt deg en e-post, hva den handlet om, når den ble sendt, og om den ble avvist. Ikke det som står i den.',
                ],
                [
                  'Hvorfor',
                  'For å sende deg kvitteringer og annet om kjøpet, kontoen og resultatene dine, og bare én gang. Det kan også være noe alle med konto må vite, som nedetid. Vi sender ikke reklame uten at du har sagt ja til nyheter.',
                ],
                ['Grunnlag', 'Avtalen med deg (bokstav b).'],
                [
                  'Hvor lenge',
                  'Til du sletter kontoen. Etter det er listen ikke knyttet til adressen din. Når kontoen blir slettet, bruker vi adressen til å sende deg en bekreftelse, og glemmer den så. Det tar høyst noen dager.',
                ],
              ],
            },
            {
              title: 'Påminnelser på e-post',
              rows: [
                [
                  'Hva',
                  'At du har sagt ja til påminnelser, hvilken tekst du sa ja til og når, når du slo dem av, når du sist fikk en, og hvor mange du har fått på rad uten å øve etterpå.',
                ],
                [
                  'Hvorfor',
                  'For å minne deg på dagens øving, høyst én gang om dagen, på dager der du ikke har nådd målet ditt. Vi stopper etter sju på rad, og hvis adressen din avviser e-post.',
                ],
                [
                  'Grunnlag',
                  'Samtykket ditt (bokstav a). Du kan trekke det tilbake når som helst, i planen din eller med lenken i hver påminnelse. Da trenger du ikke å logge inn.',
                ],
                [
                  'Hvor lenge',
                  'Til du sletter kontoen. Hvis du slår påminnelser av, glemmer vi etter to år at du en gang sa ja.',
                ],
              ],
            },
            {
              title: 'Nyheter på e-post',
              rows: [
                [
                  'Hva',
                  'At du har sagt ja til nyheter, hvilken tekst du sa ja til og når, når du trakk det tilbake, og hvilke meldinger du har fått.',
                ],
                [
                  'Hvorfor',
                  'For å sende deg nyheter, høyst én e-post i uka, og for å kunne vise at du har sagt ja.',
                ],
                [
                  'Grunnlag',
                  'Samtykket ditt (bokstav a). Du kan trekke det tilbake når som helst, under Konto eller med lenken i hver e-post. Da trenger du ikke å logge inn.',
                ],
                [
                  'Hvor lenge',
                  'Til du sletter kontoen. Hvis du sier nei til nyheter, glemmer vi etter to år at du en gang sa ja.',
                ],
              ],
            },
            {
              title: 'Når du skriver til oss',
              rows: [
                ['Hva', 'E-posten din og svarene våre.'],
                ['Hvorfor', 'For å hjelpe deg.'],
                [
                  'Grunnlag',
                  'Avtalen med deg (bokstav b) eller vår interesse i å svare (bokstav f).',
                ],
                [
                  'Hvor lenge',
                  'Til saken er ferdig, og så lenge den kan få betydning for et krav fra deg eller oss.',
                ],
              ],
            },
            {
              title: 'Det en administrator gjør',
              rows: [
                [
                  'Hva',
                  'Hvis en administrator stenger, åpner eller sletter kontoen din, gir deg dager eller sender deg en lenke for passord, lagrer vi det sammen med e-postadressen din. Hvis administratoren skriver hvorfor, lagrer vi det også. Du får e-post når kontoen blir stengt, åpnet eller slettet, hvis du har vist at adressen er din, eller har betalt.',
                ],
                ['Hvorfor', 'For å kunne vise hvem som har gjort hva, og oppdage misbruk.'],
                ['Grunnlag', 'Vår interesse i sikkerhet og kontroll (bokstav f).'],
                [
                  'Hvor lenge',
                  'To år. Da fjerner vi e-postadressen din, grunnen, og hvem som gjorde det. Du kan be oss om å slette adressen din før.',
                ],
              ],
            },
            {
              title: 'Tekniske logger',
              rows: [
                [
                  'Hva',
                  'Hvilke kall tjenesten fikk, når, og om noe gikk galt. Våre logger har verken IP-adressen, e-postadressen eller passordet ditt. Hendelser inne i tjenesten har bare interne numre.',
                ],
                ['Hvorfor', 'For å finne feil og holde tjenesten sikker.'],
                ['Grunnlag', 'Vår interesse i en tjeneste som virker (bokstav f).'],
                [
                  'Hvor lenge',
                  'Loggene skrives over etter hvert. Interne hendelser slettes etter omtrent 30 dager.',
                ],
              ],
            },
          ],
        },
        'Det kan hende at opplysninger finnes i sikkerhetskopier en stund etter at de er slettet. Kopiene brukes bare hvis noe må gjenopprettes.',
      ],
    },
    {
      id: 'bruksstatistikk',
      title: 'Bruksstatistikk',
      blocks: [
        'Vi har vår egen tjeneste for bruksstatistikk. Den bruker ikke informasjonskapsler, og vi bruker ingen statistikktjeneste fra andre.',
        {
          list: [
            'For hvert spørsmål teller vi hvor mange ganger det er brukt, hvor mange som svarte riktig, hvilke svar som ble valgt, og hvor mange som har meldt om feil.',
            'Vi teller hvor mange brukere som har konto, og hvor mange som har øvd.',
          ],
        },
        'Grunnlaget er vår interesse i å gjøre spørsmålene bedre (bokstav f). Tallene er summer uten navn. Derfor blir de stående når du sletter kontoen. Du kan protestere mot at svarene dine telles med.',
      ],
    },
    {
      id: 'uten-konto',
      title: 'Når du ikke er logget inn',
      blocks: [
        'Du kan lese sidene våre uten at vi lagrer hvem du er. Hvis du prøver de gratis spørsmålene, lagres ikke svarene dine hos oss. De ligger i nettleseren din til du lukker fanen. Hva nettleseren ellers husker, står på siden om [informasjonskapsler](/cookies).',
      ],
    },
    {
      id: 'ma-du',
      title: 'Må du gi oss opplysningene?',
      blocks: [
        'Du må oppgi en e-postadresse for å ha konto. Uten den kan vi ikke gi deg tilgang eller sende kvittering. Navn er frivillig: Brukernavnet du registrerer deg med, kan være hva du vil.',
      ],
    },
    {
      id: 'mottakere',
      title: 'Hvem får opplysningene?',
      blocks: [
        'Vi deler bare det som trengs. De som behandler opplysninger for oss (databehandlere), kan ikke bruke dem til egne formål.',
        {
          list: [
            'Innlogging: Google, gjennom Firebase Authentication (Google Cloud Identity). De har e-postadressen, navnet, passordet i en form som ikke kan leses, og når og fra hvilken adresse du logget inn. Google er databehandler for oss. Hvis du velger å logge inn med Google-kontoen din, gjelder også [Googles egne regler](https://policies.google.com/privacy).',
            'Betaling: Stripe får kortopplysningene rett fra deg, og beløpet, navnet og e-postadressen din fra oss. Stripe er databehandler når betalingen gjennomføres, og selv behandlingsansvarlig for blant annet å hindre svindel og følge egne lovkrav. Les [Stripes personvernerklæring](https://stripe.com/privacy).',
            'E-post: leverandøren som sender e-posten vår, får adressen din og det som står i e-posten. Den er databehandler.',
            'Drift: leverandøren av servere, database og sikkerhetskopier. Den er databehandler og kan ha egne sikkerhetslogger med IP-adresser.',
            'Banken og kortselskapet ditt, hvis du klager på en betaling til dem.',
            'Opplesing: stemmen hører til nettleseren din. Noen nettlesere sender teksten som skal leses, til den som har laget stemmen. Vi sender ikke med hvem du er.',
            'Regnskapsfører, revisor og myndigheter, når loven krever det.',
          ],
        },
        'Vi selger aldri opplysninger om deg.',
      ],
    },
    {
      id: 'utenfor-eos',
      title: 'Opplysninger utenfor EØS',
      blocks: [
        'Google og Stripe er internasjonale selskaper. Derfor kan opplysninger bli behandlet utenfor EØS, blant annet i USA. Det er bare lov når opplysningene er like godt vernet der. Enten må mottakeren være med i ordningen EU–US Data Privacy Framework, eller så må EU-kommisjonens standardavtale (standard contractual clauses) være inngått. Skriv til oss hvis du vil vite hva som gjelder for en mottaker, eller ha en kopi av avtalen.',
      ],
    },
    {
      id: 'sikkerhet',
      title: 'Slik passer vi på opplysningene',
      blocks: [
        {
          list: [
            'Du ser bare dine egne quizer, kvitteringer og resultater.',
            'Passord og kortnummer kommer aldri inn i databasen vår.',
            'Bare administratorer med egen innlogging får se brukere og betalinger. Det de endrer, blir lagret i en logg.',
            'Tjenesten svarer likt om en adresse har konto eller ikke, så ingen kan finne ut om nettopp du øver her.',
          ],
        },
        'Hvis det likevel skjer et brudd som kan skade deg, sier vi fra til deg og til Datatilsynet slik loven krever.',
      ],
    },
    {
      id: 'automatisk',
      title: 'Det som skjer automatisk',
      blocks: [
        'Resultatet ditt regnes ut automatisk. Det gjelder bare øvingen her. Vi regner også ut fra svarene dine hva du husker, og hvor sannsynlig det er at du består, men ingenting blir bestemt ut fra det. Det er med i filen du kan laste ned, og slettes sammen med kontoen. Hvis flere kort blir avvist etter hverandre, stopper tjenesten nye betalinger en stund. Hvis e-postadressen eller kortet er brukt til et kjøp som ble angret, og du ikke ber om at tilgangen skal starte med en gang, begynner dagene når angrefristen er over. Vi tar ingen automatiske avgjørelser som har rettslig virkning for deg, og lager ingen profil av deg til reklame.',
      ],
    },
    {
      id: 'rettigheter',
      title: 'Rettighetene dine',
      blocks: [
        'Personvernforordningen (GDPR) gir deg disse rettighetene. Det koster ikke noe å bruke dem.',
        {
          facts: [
            {
              title: 'Slik bruker du dem',
              rows: [
                [
                  'Innsyn',
                  'Du kan få se hva vi har om deg. Gå til [Konto](/quiz?tab=account), «Dine data», og last det ned.',
                ],
                [
                  'Flytte (dataportabilitet)',
                  'Filen du laster ned, kan leses av andre programmer (JSON). Du kan ta den med deg dit du vil.',
                ],
                [
                  'Retting',
                  'Du kan endre navnet, e-postadressen, passordet og språket under [Konto](/quiz?tab=account). Hvis du logger inn med Google, endrer du adressen og passordet der. Hvis noe annet er feil, skriv til oss.',
                ],
                [
                  'Sletting',
                  'Gå til [Konto](/quiz?tab=account) og trykk på «Slett kontoen». Øvingen din og innloggingen slettes med en gang. Hvis kontoen er stengt, skriv til oss.',
                ],
                [
                  'Begrensning',
                  'Du kan be oss om ikke å bruke opplysninger mens vi undersøker om de er riktige, eller om vi har lov til å bruke dem.',
                ],
                [
                  'Protest',
                  'Hvis vi bruker opplysninger fordi vi har en interesse i det (bokstav f), kan du si nei. Da stopper vi, hvis vi ikke har en god grunn som loven godtar.',
                ],
                [
                  'Klage',
                  'Du kan klage til [Datatilsynet](https://www.datatilsynet.no). Si gjerne fra til oss først, så ordner vi det hvis vi kan.',
                ],
              ],
            },
          ],
        },
        'Hvis du skriver til oss, svarer vi senest innen én måned. Skriv fra adressen du er registrert med, så vet vi at det er deg. Bare påminnelsene og nyhetene på e-post bygger på samtykke, og det kan du alltid trekke tilbake.',
      ],
    },
    {
      id: 'alder',
      title: 'Barn og unge',
      blocks: [
        'Prøveklar er laget for voksne og for unge som skal ta prøven. Vi spør ikke hvor gammel du er. Hvis du er under 18 år, bør en forelder eller verge være med når du oppretter konto. Hvis et barn har opprettet en konto uten at de foresatte vet om det, kan de skrive til oss, så sletter vi den.',
      ],
    },
    {
      id: 'endringer',
      title: 'Endringer i denne teksten',
      blocks: [
        'Når vi endrer noe, skriver vi dato og hva som er nytt øverst på siden. Hvis endringen er viktig for deg som har konto, sier vi fra på e-post eller når du logger inn, før den gjelder.',
      ],
    },
  ],
};
export default document;
