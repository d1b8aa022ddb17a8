/** The error that Stripe.js throws at a page that uses it wrongly. */
export function integrationError(message) {
  const error = new Error(message);
  error.name = 'IntegrationError';
  return error;
}
