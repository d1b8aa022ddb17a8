import { runMain } from 'node:module';
import { join } from 'node:path';
import { PROJECT_DIR, stackSettings } from '#settings.ts';

// `node local/run-command.ts <script> [arguments]`: runs an operator's command with the settings of the local
// stack, whether it runs or not. In production it adds no defaults.
const [script = '', ...args] = process.argv.slice(2);
if (process.env.NODE_ENV !== 'production') {
  Object.assign(process.env, stackSettings().environment);
}
process.argv.splice(1, process.argv.length, join(PROJECT_DIR, script), ...args);
// As if Node had been started with the script: `import.meta.main` is true in it.
runMain();
