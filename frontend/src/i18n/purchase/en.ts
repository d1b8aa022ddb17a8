import receipts from './en/receipts.json' with { type: 'json' };

/**
 * The namespace `purchase`: what only those need who look at what they bought. Each area's texts
 * below its name, from a file of its own.
 */
export default { receipts };
