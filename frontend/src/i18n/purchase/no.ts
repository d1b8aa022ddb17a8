import notices from './no/notices.json' with { type: 'json' };
import payment from './no/payment.json' with { type: 'json' };
import paymentSearch from './no/payment-search.json' with { type: 'json' };
import receipts from './no/receipts.json' with { type: 'json' };
import withdrawal from './no/withdrawal.json' with { type: 'json' };
import withdrawalForm from './no/withdrawal-form.json' with { type: 'json' };
import withdrawalRight from './no/withdrawal-right.json' with { type: 'json' };

/**
 * The namespace `purchase`: what only those need who pay, or look at what they bought. Each area's texts
 * below its name, from a file of its own.
 */
export default {
  notices,
  payment,
  payment_search: paymentSearch,
  receipts,
  withdrawal,
  withdrawal_form: withdrawalForm,
  withdrawal_right: withdrawalRight,
};
