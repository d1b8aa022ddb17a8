import { parseArgs } from 'node:util';
import { environmentOfProcess } from '@proveklar/services/config/config.ts';
import { examine } from './examine.ts';
import { countOf, formatJson, formatReport, withoutSecrets } from './report.ts';

// `node workers/doctor/main.ts [--json]`: ends with 1 when something is at fault.
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const environment = environmentOfProcess();
const examined = await examine(environment);
const text = values.json ? formatJson(examined) : formatReport(examined);
process.stdout.write(withoutSecrets(text, environment), () => {
  // What hangs must not hold this process.
  process.exit(countOf(examined, 'fault') > 0 ? 1 : 0);
});
