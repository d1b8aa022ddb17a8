import 'i18next';
import type admin from '../texts/admin.no.json';
import type codes from '../texts/codes.no.json';
import type landing from '../texts/landing.no.json';
import type learner from '../texts/learner.no.json';
import type pages from '../texts/pages.no.json';
import type purchase from '../texts/purchase.no.json';
import type translation from '../texts/translation.no.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof translation & typeof pages;
      admin: typeof admin;
      codes: typeof codes;
      landing: typeof landing;
      purchase: typeof purchase;
      learner: typeof learner;
    };
  }
}
