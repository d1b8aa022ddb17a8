import { relative } from 'node:path';
import { buildFrontend, FRONTEND_DIST } from '#frontend.ts';
import { PROJECT_DIR } from '#settings.ts';

// `npm run build`: the frontend as browsers get it. Nothing else is built: Node runs our TypeScript.
const { PATH = '' } = process.env;
await buildFrontend({ PATH });
process.stdout.write(`Built ${relative(PROJECT_DIR, FRONTEND_DIST)}\n`);
