/** In characters. The service refuses what is longer than anyone types, and the common ones, and says so. */
const SHORTEST_PASSWORD = 8;

export const isTooShort = (password: string) => Array.from(password).length < SHORTEST_PASSWORD;
