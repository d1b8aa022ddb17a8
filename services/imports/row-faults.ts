/** Every reason for which a row is rejected, and its words in the report that is downloaded. */
export const ROW_FAULTS = {
  missing: 'is missing',
  unknown_field: 'is not a known field',
  not_an_object: 'the row is not an object with fields',
  not_text: 'is not text',
  not_a_list: 'is not a list',
  blank: 'is blank',
  too_long: 'is too long',
  too_few: 'has too few entries',
  too_many: 'has too many entries',
  same_twice: 'has the same text twice, or the right answer',
  language_code: 'is not a language code such as no, en or sr-Latn',
  reserved_name: 'is a name that the service uses itself',
  not_a_date: 'is not a date such as 2026-01-31',
  not_a_web_address: 'is not an address that begins with https:// or http://',
  not_a_uuid: 'is not a uuid',
  uuid_not_random: 'is not a random (version 4) uuid',
  unstorable: 'the row has a character without meaning (NUL or half a pair)',
  not_utf8: 'the row is not UTF-8 text',
  too_large: 'the row is larger than 256 kB',
  too_deep: 'the row is nested too deeply',
} as const;
export type RowFaultReason = keyof typeof ROW_FAULTS;

/** Every warning about a row that went in, and its words in the same report. */
export const ROW_WARNINGS = {
  language_not_offered: 'is a language that learners are not offered',
} as const;
export type RowWarningReason = keyof typeof ROW_WARNINGS;
