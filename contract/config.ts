import { type Static, Type } from 'typebox';
import { Closed } from './common.ts';
import { OfferedLanguage } from './settings.ts';

// What every client may know of the service before anyone signs in.

/** What a browser needs to know at run time, so that one build serves every environment. */
export const ConfigResponse = Closed({
  identity: Closed({
    api_key: Type.String(),
    auth_domain: Type.String(),
    project_id: Type.String(),
    emulator_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Only ever set outside production.',
    }),
  }),
  stripe: Closed({
    publishable_key: Type.String(),
    script_url: Type.Union([Type.String(), Type.Null()], {
      description:
        'Script that defines window.Stripe in place of js.stripe.com. Only ever set outside production.',
    }),
  }),
  support_email: Type.String(),
  seller: Type.Union(
    [
      Closed({
        name: Type.String(),
        organisation_number: Type.Union([Type.String(), Type.Null()]),
        address: Type.Union([Type.String(), Type.Null()]),
        vat_registered: Type.Boolean(),
      }),
      Type.Null(),
    ],
    { description: 'Who sells; null until an administrator has said it.' },
  ),
  price: Type.Number({
    description: 'NOK with all that is due, two decimals; 0 means that the service is free.',
  }),
  price_includes_vat: Type.Boolean({
    description: 'Whether there is VAT in the price: only where the seller is registered for it.',
  }),
  currency: Type.Literal('nok'),
  languages: Type.Array(OfferedLanguage, {
    description: 'In which learners can be asked questions; Norwegian first.',
  }),
  service_days: Type.Integer({ description: 'Days of service that one payment gives.' }),
});
export type ConfigResponse = Static<typeof ConfigResponse>;

export const HealthResponse = Closed({ status: Type.Literal('ok') });
