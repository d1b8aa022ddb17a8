import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
}

const FILE = new URL('../../docker-compose.yml', import.meta.url);
const { services } = parse(readFileSync(FILE, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
};
const ours = Object.entries(services).filter(
  ([, { image, environment }]) => image?.startsWith('proveklar:') && environment,
);

test('gateway, worker, migrate and doctor are ours', () => {
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'gateway', 'worker', 'doctor']);
});

test.each(ours)('%s may read every secret that it is told of', (_name, service) => {
  const told = Object.values(service.environment!).flatMap(
    (value) => /\/run\/secrets\/([\w-]+)/u.exec(String(value))?.[1] ?? [],
  );
  expect(service.secrets ?? []).toEqual(expect.arrayContaining(told));
});
