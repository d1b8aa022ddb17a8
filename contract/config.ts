import { type Static, Type } from 'typebox';
import { Closed } from './common.ts';
import { OfferedLanguage } from './settings.ts';

// The public configuration, available before sign-in.

/** The runtime configuration of a browser, so that one build serves every environment. */
export const ConfigResponse = Closed({
  identity: Closed({
    api_key: Type.String(),
    auth_domain: Type.String(),
    project_id: Type.String(),
    emulator_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Set only outside production.',
    }),
  }),
  stripe: Closed({
    publishable_key: Type.String(),
    script_url: Type.Union([Type.String(), Type.Null()], {
      description:
        'A script that defines window.Stripe instead of js.stripe.com. Set only outside production.',
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
    { description: 'The seller; null until an administrator has entered it.' },
  ),
  price: Type.Number({
    description:
      'The total price in NOK, with at most two decimals; 0 means that the service is free.',
  }),
  price_includes_vat: Type.Boolean({
    description: 'Whether the price includes VAT: only when the seller is registered for VAT.',
  }),
  currency: Type.Literal('nok'),
  languages: Type.Array(OfferedLanguage, {
    description: 'The languages in which learners can practise, Norwegian first.',
  }),
  service_days: Type.Integer({ description: 'Days of service that one payment gives.' }),
});
export type ConfigResponse = Static<typeof ConfigResponse>;

export const HealthResponse = Closed({ status: Type.Literal('ok') });
