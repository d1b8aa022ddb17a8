import { relative } from 'node:path';
import { buildFrontend, FRONTEND_DIST } from '#frontend.ts';
import { PROJECT_DIR } from '#settings.ts';

// `npm run build`: builds the frontend. Nothing else is built, because Node runs our TypeScript.
const { PATH = '' } = process.env;
await buildFrontend({ PATH });
process.stdout.write(`Built ${relative(PROJECT_DIR, FRONTEND_DIST)}\n`);
