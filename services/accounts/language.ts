/** What we write to people in: Norwegian bokmål or English. */
export type Language = 'no' | 'en';

export const DEFAULT_LANGUAGE: Language = 'no';
