import { splitList } from '@proveklar/services/config/config.ts';
import { fault, type Finding, ok } from '@proveklar/operators/status/finding.ts';
import type { Check, Installation } from './installation.ts';

/** The settings of all processes together. */
export const configuration: Check = {
  name: 'Configuration',
  run(installation) {
    const { config, problems, isProduction } = installation;
    const faults = problems.map((problem) =>
      fault(problem, 'Correct it in .env or in the environment; .env.example says what it means.'),
    );
    const set = Object.values(config).filter((value) => value !== undefined).length;
    const all = ok(`${set} settings, for ${isProduction ? 'production' : 'a local stack'}`);
    return [...(faults.length > 0 ? faults : [all]), ...administrators(installation)];
  },
};

const ADDRESS = /^[^@\s<>",]+@[^@\s<>",]+[.][^@\s<>",]+$/;

function administrators({ config }: Installation): Finding[] {
  const { ADMIN_EMAIL: admins } = config;
  if (!admins) return [];
  const addresses = splitList(admins);
  const wrong = addresses.filter((address) => !ADDRESS.test(address));
  if (wrong.length > 0) {
    return [
      fault(
        `ADMIN_EMAIL holds what is no address: ${wrong.join(', ')}`,
        'Name addresses of Google accounts in ADMIN_EMAIL, separated by commas.',
      ),
    ];
  }
  return [ok(`administrators: ${addresses.join(', ')}`)];
}
