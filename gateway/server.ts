import closeWithGrace from 'close-with-grace';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { buildApp } from './app.ts';
import { createDeps } from './deps.ts';

const config = parseConfig(GatewayConfig);
const deps = createDeps(config, (error) => app.log.error({ err: error }, 'pool'));
await deps.identity.check();
const app = await buildApp(deps);

// Requests on their way are answered first; after eight seconds the process ends all the same.
closeWithGrace({ delay: 8_000, logger: app.log }, async ({ err }) => {
  if (err) app.log.fatal({ err }, 'The gateway ends because of an error that nobody caught');
  await app.close();
});

await app.listen({ host: config.HOST, port: config.PORT });
