/** The version that stripe-node 23 pins, and that every event says it was rendered for. */
export const API_VERSION = '2026-10-28.endive';
