/** The identity provider's own bound. */
export const SHORTEST_PASSWORD = 6;
