import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RedisContainer } from '@testcontainers/redis';
import { IMAGES } from './images.ts';

type Labels = Record<string, string>;

// The same as for the embedded server (`local/postgres/cluster.ts`).
const INITDB_ARGS = '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8';
const POSTGRES_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
};

/** Each starts a container and resolves with its address when it accepts connections. */
export const CONTAINERS = {
  postgres: async (labels: Labels) => {
    const settings = Object.entries(POSTGRES_SETTINGS).map(([name, value]) => `${name}=${value}`);
    const container = await new PostgreSqlContainer(IMAGES.postgres)
      .withDatabase('postgres')
      .withUsername('postgres')
      .withPassword('postgres')
      .withEnvironment({ POSTGRES_INITDB_ARGS: INITDB_ARGS })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
      .withTmpFs({ '/var/lib/postgresql': 'rw' })
      .withSharedMemorySize(256 * 1024 ** 2)
      .withLabels(labels)
      .start();
    return container.getConnectionUri();
  },
  redis: async (labels: Labels) => {
    const settings = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
    const container = await new RedisContainer(IMAGES.redis)
      .withCommand(['redis-server', ...settings])
      .withTmpFs({ '/data': 'rw' })
      .withLabels(labels)
      .start();
    return container.getConnectionUrl();
  },
};
export type ContainerName = keyof typeof CONTAINERS;
