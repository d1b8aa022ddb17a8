import 'i18next';
import type admin from './admin/no.ts';
import type no from './no.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof no; admin: typeof admin };
  }
}
