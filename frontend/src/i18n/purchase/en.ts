import notices from './en/notices.json' with { type: 'json' };
import payment from './en/payment.json' with { type: 'json' };
import paymentSearch from './en/payment-search.json' with { type: 'json' };
import receipts from './en/receipts.json' with { type: 'json' };
import withdrawal from './en/withdrawal.json' with { type: 'json' };
import withdrawalForm from './en/withdrawal-form.json' with { type: 'json' };
import withdrawalRight from './en/withdrawal-right.json' with { type: 'json' };

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
