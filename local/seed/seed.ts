import { parseConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { createIdentityProvider } from '@proveklar/services/identity/identity-provider.ts';
import { seedLearner } from './seed-learner.ts';
import { seedQuestions } from './seed-questions.ts';
import { seedSettings } from './seed-settings.ts';
import { SeedConfig } from './seed-config.ts';

// Fills an empty local database; what is there already stays as it is.
const config = parseConfig(SeedConfig);
const db = createPool(config.DATABASE_URL, { applicationName: 'seed' });
const identity = createIdentityProvider({
  projectId: config.FIREBASE_PROJECT_ID,
  apiKey: config.FIREBASE_API_KEY,
  emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
});
await seedSettings(db);
await seedQuestions(db);
await seedLearner(db, identity);
await db.end();
