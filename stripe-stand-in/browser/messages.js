/** The error that Stripe.js throws when a page uses it incorrectly. */
export function integrationError(message) {
  const error = new Error(message);
  error.name = 'IntegrationError';
  return error;
}

/** The texts of the payment form, and of Stripe's errors by code, in the two languages of the product. */
const MESSAGES = {
  en: {
    locale: 'en',
    challenge: {
      title: 'Test bank: 3D Secure',
      question: 'Do you confirm the payment of {amount}?',
      complete: 'Complete authentication',
      fail: 'Fail authentication',
    },
    wallet: {
      pay: 'Pay',
      decline: 'Pay with a card that is declined',
      cancel: 'Cancel',
      silent: 'Never answer',
    },
    payment: {
      form: 'Secure payment input frame',
      methods: { card: 'Card', vipps: 'Vipps' },
      redirect: 'You will be redirected to {method} to pay.',
      number: 'Card number',
      expiry: 'Expiration date',
      cvc: 'Security code',
      numberHint: '1234 1234 1234 1234',
      expiryHint: 'MM / YY',
      cvcHint: 'CVC',
    },
    errors: {
      incomplete_number: 'Your card number is incomplete.',
      incomplete_expiry: "Your card's expiration date is incomplete.",
      incomplete_cvc: "Your card's security code is incomplete.",
      invalid_number: 'Your card number is invalid.',
      invalid_expiry_month_past: "Your card's expiration date is in the past.",
      invalid_expiry_year_past: "Your card's expiration year is in the past.",
      invalid_expiry_year: "Your card's expiration year is invalid.",
      invalid_expiry_month: "Your card's expiration month is invalid.",
      invalid_cvc: "Your card's security code is invalid.",
      incorrect_number: 'Your card number is incorrect.',
      incorrect_cvc: "Your card's security code is incorrect.",
      card_declined: 'Your card was declined.',
      insufficient_funds: 'Your card has insufficient funds.',
      expired_card: 'Your card has expired.',
      processing_error: 'An error occurred while processing your card. Try again in a little bit.',
      payment_intent_authentication_failure:
        'We are unable to authenticate your payment method. ' +
        'Please choose a different payment method and try again.',
      payment_intent_unexpected_state: 'A processing error occurred.',
      api_connection_error:
        'We are experiencing issues connecting to our payments provider. ' +
        'Please check your internet connection and try again.',
    },
  },
  no: {
    locale: 'nb',
    challenge: {
      title: 'Testbank: 3D Secure',
      question: 'Bekrefter du betalingen på {amount}?',
      complete: 'Fullfør autentisering',
      fail: 'Avbryt autentisering',
    },
    wallet: {
      pay: 'Betal',
      decline: 'Betal med et kort som blir avvist',
      cancel: 'Avbryt',
      silent: 'Svar aldri',
    },
    payment: {
      form: 'Sikker inndataramme for betaling',
      methods: { card: 'Kort', vipps: 'Vipps' },
      redirect: 'Du blir sendt videre til {method} for å betale.',
      number: 'Kortnummer',
      expiry: 'Utløpsdato',
      cvc: 'Sikkerhetskode',
      numberHint: '1234 1234 1234 1234',
      expiryHint: 'MM / ÅÅ',
      cvcHint: 'CVC',
    },
    errors: {
      incomplete_number: 'Kortnummeret ditt er ufullstendig.',
      incomplete_expiry: 'Kortets utløpsdato er ufullstendig.',
      incomplete_cvc: 'Kortets sikkerhetskode er ufullstendig.',
      invalid_number: 'Kortnummeret ditt er ugyldig.',
      invalid_expiry_month_past: 'Kortets utløpsdato er passert.',
      invalid_expiry_year_past: 'Kortets utløpsår er passert.',
      invalid_expiry_year: 'Kortets utløpsår er ugyldig.',
      invalid_expiry_month: 'Kortets utløpsmåned er ugyldig.',
      invalid_cvc: 'Kortets sikkerhetskode er ugyldig.',
      incorrect_number: 'Kortnummeret ditt er feil.',
      incorrect_cvc: 'Kortets sikkerhetskode er feil.',
      card_declined: 'Kortet ditt ble avvist.',
      insufficient_funds: 'Kortet ditt har ikke tilstrekkelig dekning.',
      expired_card: 'Kortet ditt er utløpt.',
      processing_error: 'Det oppsto en feil under behandlingen av kortet ditt. Prøv igjen om litt.',
      payment_intent_authentication_failure:
        'Vi kan ikke autentisere betalingsmåten din. Velg en annen betalingsmåte og prøv igjen.',
      payment_intent_unexpected_state: 'Det oppsto en behandlingsfeil.',
      api_connection_error:
        'Vi har problemer med å koble til betalingsleverandøren vår. ' +
        'Kontroller internettforbindelsen og prøv igjen.',
    },
  },
};

/** The texts for Stripe's `locale` option; `auto` is the browser's language, and English is the fallback. */
export function messagesFor(locale) {
  const language = locale === undefined || locale === 'auto' ? navigator.language : locale;
  return /^(no|nb|nn)\b/i.test(language) ? MESSAGES.no : MESSAGES.en;
}

/** The message for an error of the API: by decline code, otherwise by code, otherwise unchanged. */
export function localized(error, messages) {
  const { errors } = messages;
  const message = errors[error.decline_code] ?? errors[error.code] ?? error.message;
  // The API's message is more specific than ours: the number is not a test card.
  return error.decline_code === 'test_mode_live_card' ? error : { ...error, message };
}
