import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { RowWarningReason } from '@proveklar/contract/imports.ts';
import type { RowFaultReason } from '@proveklar/contract/question-row.ts';
import type { Difference, ReportedFault } from './batch-rows.ts';
import type { RowRemark } from './clean-row.ts';

// The texts of downloaded files about rows: those of the screen, which a test compares.

interface RowTexts {
  fault: Record<RowFaultReason, string>;
  warning: Record<RowWarningReason, string>;
  cleaned: Partial<Record<RowWarningReason, string>>;
  differs: Record<Difference, string>;
  field_name: Record<string, string>;
}

export const ROW_TEXTS: Record<AppLanguage, RowTexts> = {
  no: {
    fault: {
      missing: 'mangler: fyll ut',
      unknown_field: 'er ikke et felt vi kjenner: rett navnet, eller ta feltet bort',
      not_an_object: 'Raden er ikke et objekt: skriv feltene mellom { og }',
      not_text: 'er ikke tekst: skriv verdien i anførselstegn',
      not_a_list: 'er ikke en liste: skriv verdiene mellom [ og ]',
      blank: 'er tomt: fyll ut',
      too_long:
        'er for langt: skriv kortere (forklaringen kan ha 4000 tegn, bildeteksten 500, andre tekster 2000)',
      too_few: 'har for få verdier: legg til minst én',
      too_many: 'har for mange verdier: ta bort noen (høyst 9 gale svar, 20 stikkord, 20 grupper)',
      same_twice: 'er det samme som et annet galt svar: skriv et annet, eller ta det bort',
      same_as_answer: 'er det samme som det riktige svaret: rett ett av dem',
      language_code: 'er ikke en språkkode: skriv no, en eller en annen kode, som sr-Latn',
      reserved_name: 'er et navn som tjenesten selv bruker: velg et annet',
      not_a_date: 'er ikke en dato: skriv den som 31.01.2026 eller 2026-01-31',
      not_a_year: 'er ikke et år: skriv et år fra 2000 til 2999',
      not_as_many:
        'stemmer ikke med de gale svarene: ta bort grunner uten galt svar, og skriv null (i JSON) der et svar ikke har noen grunn',
      not_a_web_address: 'er ikke en nettadresse: begynn med https:// eller http://',
      not_a_uuid: 'er ikke en uuid: ta den bort, så får spørsmålet en ny',
      uuid_not_random:
        'er ikke en tilfeldig uuid (versjon 4): ta den bort, så får spørsmålet en ny',
      needs_image: 'trenger et bilde: legg til «image», eller ta dette bort',
      not_an_image: 'er ikke et bilde av typen SVG, PNG eller JPEG: lagre bildet som en av dem',
      image_too_large: 'er for stort: gjør bildet mindre, til under 1,5 MB',
      image_damaged: 'er skadet, eller er en annen type enn det står: lagre bildet på nytt',
      image_dimensions:
        'har mål som ikke passer: PNG og JPEG må ha sider på 16 til 4000 piksler og høyst 2 millioner piksler, SVG må ha «viewBox», og ingen side kan være mer enn 8 ganger så lang som den andre',
      png_interlaced: 'er en PNG som er flettet (interlaced): lagre den uten fletting',
      not_an_svg:
        'begynner ikke med <svg xmlns="http://www.w3.org/2000/svg">: lagre bildet på nytt som SVG',
      svg_too_complex:
        'har mer enn 20 000 deler, for mange nivåer, eller viser seg selv: gjør bildet enklere',
      svg_declaration: 'er ikke tillatt i et SVG-bilde her: ta det bort',
      svg_element: 'er et element som ikke er tillatt i et SVG-bilde her: ta det bort',
      svg_attribute: 'er et attributt som ikke er tillatt i et SVG-bilde her: ta det bort',
      svg_reference: 'viser til noe utenfor bildet: bare deler av bildet selv (#navn) er tillatt',
      svg_style: 'har url(), en @-regel eller en omvendt skråstrek: bruk attributter i stedet',
      not_a_shape:
        'er ikke en form: skriv 3 til 40 punkter i prosent, som «12,30 20,30 20,44», med høyst én desimal',
      not_the_options:
        'har ikke hvert svar én gang: skriv hvert svar med nøyaktig samme tekst, også det riktige svaret',
      unstorable:
        'Raden har et tegn som ikke betyr noe (NUL eller et halvt tegn): skriv teksten på nytt',
      not_utf8: 'Raden er ikke lagret som UTF-8: lagre filen på nytt, i Excel som «CSV UTF-8»',
      too_large: 'Raden er større enn 2,5 MB: gjør bildet mindre, eller teksten kortere',
      too_deep:
        'Raden har for mange nivåer inni hverandre: ta bort det som ikke er et felt i et spørsmål',
    },
    warning: {
      language_not_offered:
        '{{language}} tilbys ikke, så ingen brukere ser spørsmålet. Rett språket i spørsmålet, eller be en eier om å tilby det under Innstillinger',
      mojibake: 'har tegn som ble lest feil, som «Ã¸» eller «�». Skriv dem på nytt',
      markup: 'har HTML-koder, som brukerne ser. Ta dem bort',
      invisible: 'har usynlige tegn. Skriv teksten på nytt',
      one_wrong_answer:
        'Bare ett galt svar. En praktisk prøve viser tre svar, så legg gjerne til ett til',
      options_case:
        'er likt et annet svar, bortsett fra store og små bokstaver eller punktum. Skriv et annet svar',
      topic_case:
        'er skrevet med andre store og små bokstaver enn et tema som finnes. Skriv det likt',
    },
    cleaned: {
      mojibake: 'hadde tegn som var lest feil. De er rettet',
      markup: 'hadde HTML-koder. De er tatt bort',
      invisible: 'hadde usynlige tegn. De er tatt bort',
      topic_case:
        'var skrevet med andre store og små bokstaver enn temaet som finnes. Det er rettet',
    },
    differs: {
      answer:
        'Samme spørsmål finnes med et annet riktig svar: {{known}}. Hvis dette er et annet spørsmål, gir du det en annen tekst. Hvis ikke, tar du bort raden',
      options:
        'Samme spørsmål finnes med andre gale svar: {{known}}. Hvis dette er et annet spørsmål, gir du det en annen tekst. Hvis ikke, tar du bort raden',
    },
    field_name: {
      language: 'Språk',
      topic: 'Tema',
      question: 'Spørsmål',
      answer: 'Riktig svar',
      incorrect: 'Gale svar',
      incorrect_one: 'Galt svar {{number}}',
      incorrect_reasons: 'Grunner til at svarene er gale',
      incorrect_reasons_one: 'Hvorfor galt svar {{number}} er galt',
      explanation: 'Forklaring',
      source_url: 'Adressen til kilden',
      source_title: 'Navnet på kilden',
      checked_at: 'Sist sjekket',
      valid_from: 'Gjelder fra',
      ages: 'Sjekkes på nytt',
      group: 'Gruppe',
      excludes: 'Utelukker',
      tags: 'Stikkord',
      tags_one: 'Stikkord {{number}}',
      excludes_one: 'Utelukker, nummer {{number}}',
      image: 'Bilde',
      image_alt: 'Bildetekst',
      areas: 'Områder i bildet',
      areas_one: 'Område {{number}} i bildet',
      uuid: 'Uuid',
    },
  },
  en: {
    fault: {
      missing: 'is missing: fill it in',
      unknown_field: 'is not a field that we know: correct the name, or remove the field',
      not_an_object: 'The row is not an object: write the fields between { and }',
      not_text: 'is not text: write the value in quotation marks',
      not_a_list: 'is not a list: write the values between [ and ]',
      blank: 'is blank: fill it in',
      too_long:
        'is too long: make it shorter (an explanation may have 4000 characters, a picture text 500, other texts 2000)',
      too_few: 'has too few values: add at least one',
      too_many: 'has too many values: remove some (at most 9 wrong answers, 20 tags, 20 groups)',
      same_twice: 'is the same as another wrong answer: write another, or remove it',
      same_as_answer: 'is the same as the right answer: correct one of them',
      language_code: 'is not a language code: write no, en or another code, such as sr-Latn',
      reserved_name: 'is a name that the service uses itself: choose another',
      not_a_date: 'is not a date: write it as 31.01.2026 or 2026-01-31',
      not_a_year: 'is not a year: write a year from 2000 to 2999',
      not_as_many:
        'does not match the wrong answers: remove reasons without a wrong answer, and write null (in JSON) where an answer has no reason',
      not_a_web_address: 'is not a web address: begin with https:// or http://',
      not_a_uuid: 'is not a uuid: remove it, and the question gets a new one',
      uuid_not_random:
        'is not a random uuid (version 4): remove it, and the question gets a new one',
      needs_image: 'needs a picture: add "image", or leave this out',
      not_an_image:
        'is not a picture of the type SVG, PNG or JPEG: save the picture as one of them',
      image_too_large: 'is too large: make the picture smaller, less than 1.5 MB',
      image_damaged: 'is damaged, or of another type than it says: save the picture again',
      image_dimensions:
        'has unsuitable dimensions: a PNG or JPEG has sides of 16 to 4000 pixels and at most 2 million pixels, an SVG needs "viewBox", and no side is longer than 8 times the other',
      png_interlaced: 'is an interlaced PNG: save it without interlacing',
      not_an_svg:
        'does not begin with <svg xmlns="http://www.w3.org/2000/svg">: save the picture as SVG again',
      svg_too_complex:
        'has more than 20,000 parts, is nested too deeply, or shows itself: make the picture simpler',
      svg_declaration: 'is not allowed in an SVG picture here: remove it',
      svg_element: 'is an element that is not allowed in an SVG picture here: remove it',
      svg_attribute: 'is an attribute that is not allowed in an SVG picture here: remove it',
      svg_reference:
        'refers to something outside the picture: only parts of the picture itself (#name) are allowed',
      svg_style: 'has url(), an at-rule or a backslash: use attributes instead',
      not_a_shape:
        'is not a shape: write 3 to 40 points in percent, such as "12,30 20,30 20,44", with at most one decimal',
      not_the_options:
        'does not have each answer once: write each answer with exactly the same text, the right answer included',
      unstorable:
        'The row has a character without meaning (NUL or half a character): write the text again',
      not_utf8: 'The row is not saved as UTF-8: save the file again, in Excel as “CSV UTF-8”',
      too_large: 'The row is larger than 2.5 MB: make the picture smaller, or the text shorter',
      too_deep: 'The row is nested too deeply: remove what is not a field of a question',
    },
    warning: {
      language_not_offered:
        '{{language}} is not offered, so no learner sees the question. Correct the language of the question, or ask an owner to offer it under Settings',
      mojibake: 'has characters that were read wrongly, such as “Ã¸” or “�”. Write them again',
      markup: 'has HTML code, which learners see. Remove it',
      invisible: 'has invisible characters. Write the text again',
      one_wrong_answer:
        'Only one wrong answer. A practice test shows three options, so add one if you can',
      options_case:
        'is the same as another option, but for capital letters or a full stop. Write another option',
      topic_case: 'differs from an existing topic in capital letters only. Write it the same way',
    },
    cleaned: {
      mojibake: 'had characters that were read wrongly. They are corrected',
      markup: 'had HTML code. It is removed',
      invisible: 'had invisible characters. They are removed',
      topic_case: 'differed from the existing topic in capital letters. It is corrected',
    },
    differs: {
      answer:
        'The same question is there with another right answer: {{known}}. If this is another question, give it another text. If not, remove the row',
      options:
        'The same question is there with other wrong answers: {{known}}. If this is another question, give it another text. If not, remove the row',
    },
    field_name: {
      language: 'Language',
      topic: 'Topic',
      question: 'Question',
      answer: 'Right answer',
      incorrect: 'List of wrong answers',
      incorrect_one: 'Wrong answer {{number}}',
      incorrect_reasons: 'List of reasons why answers are wrong',
      incorrect_reasons_one: 'Why wrong answer {{number}} is wrong',
      explanation: 'Explanation',
      source_url: 'Address of the source',
      source_title: 'Name of the source',
      checked_at: 'Last checked',
      valid_from: 'Valid from',
      ages: 'Check again',
      group: 'Group',
      excludes: 'Excludes',
      tags: 'List of tags',
      tags_one: 'Tag {{number}}',
      excludes_one: 'Excludes, number {{number}}',
      image: 'Picture',
      image_alt: 'Picture text',
      areas: 'List of areas in the picture',
      areas_one: 'Area {{number}} in the picture',
      uuid: 'Uuid',
    },
  },
};

/** The name of a field, such as "Galt svar 2" for `incorrect.1`; its path when it has none. */
function fieldName(texts: RowTexts, field: string): string {
  const [name = '', place] = field.split('.');
  const known = texts.field_name[/^\d+$/.test(place ?? '') ? `${name}_one` : name];
  return known?.replace('{{number}}', String(Number(place) + 1)) ?? field;
}

/**
 * Why a row was rejected, in words.
 *
 * @param name of the field, as the file has it; by default as the portal has it
 */
export function faultText(
  language: AppLanguage,
  { field, reason }: Pick<ReportedFault, 'field' | 'reason'>,
  name: string | null = null,
): string {
  const texts = ROW_TEXTS[language];
  if (field === '') return texts.fault[reason];
  return `${name ?? fieldName(texts, field)} ${texts.fault[reason]}`;
}

/** What is doubtful in an imported row, in words. */
export function warningText(
  language: AppLanguage,
  { field, reason, value, cleaned }: RowRemark,
): string {
  const texts = ROW_TEXTS[language];
  const text = (cleaned ? texts.cleaned[reason] : undefined) ?? texts.warning[reason];
  if (reason === 'language_not_offered') return text.replace('{{language}}', value ?? '');
  return reason === 'one_wrong_answer' ? text : `${fieldName(texts, field)} ${text}`;
}

/** What differs between a row and the question that has its text, in words. */
export function differenceText(language: AppLanguage, differs: Difference, known: string): string {
  return ROW_TEXTS[language].differs[differs].replace('{{known}}', known);
}
