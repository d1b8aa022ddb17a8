import { Type } from 'typebox';
import { GatewayConfig } from '@proveklar/services/config/config.ts';

/** The seed makes demo accounts, so it runs against the emulator only. */
export const SeedConfig = Type.Object({
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('test')]),
  DATABASE_URL: GatewayConfig.properties.DATABASE_URL,
  FIREBASE_PROJECT_ID: GatewayConfig.properties.FIREBASE_PROJECT_ID,
  FIREBASE_API_KEY: GatewayConfig.properties.FIREBASE_API_KEY,
  FIREBASE_AUTH_EMULATOR_HOST: Type.String({ minLength: 1 }),
});
