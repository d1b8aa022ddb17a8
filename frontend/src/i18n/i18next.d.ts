import 'i18next';
import type admin from './admin/no.ts';
import type learner from './learner/no.ts';
import type no from './no.json';
import type purchase from './purchase/no.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof no;
      admin: typeof admin;
      purchase: typeof purchase;
      learner: typeof learner;
    };
  }
}
