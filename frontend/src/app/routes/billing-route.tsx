export function BillingRoute() { return null; }
