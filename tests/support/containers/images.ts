/** The same as in docker-compose.yml. */
export const IMAGES = { postgres: 'postgres:18-alpine', redis: 'redis:8-alpine' } as const;
