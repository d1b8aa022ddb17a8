import serializerFactory from '@fastify/fast-json-stringify-compiler';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { GatewayConfig } from '@proveklar/services/config/config.ts';
import { connectionsCut } from '@proveklar/services/counters/counters.ts';
import { boundedServer } from '@proveklar/services/http/bounded-server.ts';
import { createLogger, type Logger } from '@proveklar/services/logging/logger.ts';
import type { GatewayDeps } from './deps.ts';
import { accessPlugin } from './plugins/access.ts';
import { bodyTimeoutPlugin, jsonBodyPlugin } from './plugins/bodies.ts';
import { compressPlugin } from './plugins/compress.ts';
import { answerMalformedRequest, errorsPlugin, sendError } from './plugins/errors.ts';
import { drainPlugin, heartbeatPlugin } from './plugins/lifecycle.ts';
import { livePlugin } from './plugins/live.ts';
import { metricsPlugin } from './plugins/metrics.ts';
import { openApiPlugin } from './plugins/openapi.ts';
import { clientAddressPlugin, rateLimitPlugin } from './plugins/rate-limit.ts';
import { requestContextPlugin, RequestLog } from './plugins/request-context.ts';
import { securityHeadersPlugin } from './plugins/security-headers.ts';
import { sessionsPlugin } from './plugins/sessions.ts';
import { accountPaymentsRoutes } from './routes/account-payments.ts';
import { accountRoutes, passwordRoutes } from './routes/account.ts';
import { bankReleasesRoutes } from './routes/admin/bank-releases.ts';
import { adminFeedbackRoutes } from './routes/admin/feedback.ts';
import { importsRoutes } from './routes/admin/imports.ts';
import { operationsRoutes } from './routes/admin/operations.ts';
import { adminPaymentsRoutes, moneyRoutes } from './routes/admin/payments.ts';
import { auditRoutes, membersRoutes, portalHomeRoutes } from './routes/admin/portal.ts';
import { questionQualityRoutes, reviewRoutes } from './routes/admin/quality.ts';
import { questionChangesRoutes } from './routes/admin/question-changes.ts';
import { settingsRoutes } from './routes/admin/settings.ts';
import { grantsRoutes, usersRoutes } from './routes/admin/users.ts';
import { browserErrorsRoutes, cspReportsRoutes } from './routes/browser-reports.ts';
import { codePacketsRoutes } from './routes/code-packets.ts';
import { configRoutes } from './routes/config.ts';
import { docsRoutes } from './routes/docs.ts';
import { eventsRoutes } from './routes/events.ts';
import { frontendRoutes } from './routes/frontend.ts';
import { adminGlossaryRoutes, glossaryRoutes } from './routes/glossary.ts';
import { healthRoutes, statusPageRoutes } from './routes/health.ts';
import { imagesRoutes } from './routes/images.ts';
import { importQuestionsRoutes, importUploadsRoutes } from './routes/import-questions.ts';
import { learningRoutes, remindersRoutes } from './routes/learning.ts';
import { messagesRoutes, newsRoutes, stopNewsRoutes } from './routes/messages.ts';
import { paymentRoutes } from './routes/payment.ts';
import { questionsRoutes } from './routes/questions.ts';
import { quizRoutes } from './routes/quiz.ts';
import { sampleRoutes } from './routes/sample.ts';
import { stripeWebhookRoutes } from './routes/stripe-webhook.ts';
import { examsRoutes, topicsRoutes } from './routes/topics-and-exams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    deps: GatewayDeps;
  }
}

/** Creates the logger of a gateway process. */
export function gatewayLog({ LOG_LEVEL: level, VERSION: version }: GatewayConfig): Logger {
  return createLogger({ kind: 'gateway', level, version });
}

const buildSerializer = serializerFactory();
const serializers = new WeakMap<object, (body: unknown) => string>();

/**
 * Fastify's own serializers, each compiled at its first response: all of them took most of a gateway's start.
 * Routes with the same schema share one. A schema that does not compile fails the tests, which receive every
 * response of the API document.
 */
function compileOnFirstUse(...options: Parameters<typeof buildSerializer>) {
  const compile = buildSerializer(...options);
  return (route: Parameters<typeof compile>[0]) => {
    const schema = route.schema as object;
    let serialize: ReturnType<typeof compile> | undefined;
    return (body: unknown) => {
      if (!serialize) {
        serialize = serializers.get(schema) ?? compile(route);
        serializers.set(schema, serialize);
      }
      return serialize(body);
    };
  };
}

type Validator = ReturnType<typeof TypeBoxValidatorCompiler>;
const validators = new WeakMap<object, Validator>();

/** Routes with the same schema share one validator. */
function compileValidator(route: Parameters<typeof TypeBoxValidatorCompiler>[0]): Validator {
  const validate = validators.get(route.schema) ?? TypeBoxValidatorCompiler(route);
  validators.set(route.schema, validate);
  return validate;
}

/** Builds the gateway; `server.ts` calls `listen`. Closing the app closes the database pool. */
export async function buildApp(
  deps: GatewayDeps,
  log: FastifyBaseLogger = gatewayLog(deps.config),
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    genReqId: () => crypto.randomUUID(),
    trustProxy: [...deps.trustedProxies],
    // Timeouts of bodies: the body-timeout plugin.
    serverFactory: (handler) =>
      boundedServer(handler, { connections: deps.config.MAX_CONNECTIONS }, (reason) =>
        connectionsCut.inc({ reason }),
      ),
    // Ids of the identity provider have up to 128 characters.
    routerOptions: { maxParamLength: 128 },
    // Requests that arrive while the gateway closes are answered normally.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: compileOnFirstUse } },
    frameworkErrors: sendError,
    clientErrorHandler: answerMalformedRequest,
  });
  app.setValidatorCompiler(compileValidator);
  app.decorate('deps', deps);
  app.addHook('onClose', () => deps.db.end());

  await app.register(requestContextPlugin);
  await app.register(metricsPlugin);
  await app.register(securityHeadersPlugin);
  await app.register(errorsPlugin);
  await app.register(clientAddressPlugin);
  await app.register(drainPlugin);
  await app.register(sessionsPlugin);
  await app.register(accessPlugin);
  await app.register(rateLimitPlugin);
  await app.register(bodyTimeoutPlugin);
  await app.register(jsonBodyPlugin);
  await app.register(compressPlugin);
  await app.register(openApiPlugin);
  await app.register(livePlugin);
  await app.register(heartbeatPlugin);

  await app.register(healthRoutes);
  await app.register(statusPageRoutes);
  await app.register(
    async (api) => {
      await api.register(accountRoutes);
      await api.register(accountPaymentsRoutes, { prefix: '/account/payments' });
      await api.register(adminFeedbackRoutes, { prefix: '/admin' });
      await api.register(adminGlossaryRoutes, { prefix: '/admin/glossary' });
      await api.register(settingsRoutes, { prefix: '/admin' });
      await api.register(adminPaymentsRoutes, { prefix: '/admin/payments' });
      await api.register(auditRoutes, { prefix: '/admin' });
      await api.register(membersRoutes, { prefix: '/admin' });
      await api.register(messagesRoutes, { prefix: '/admin/messages' });
      await api.register(portalHomeRoutes, { prefix: '/admin' });
      await api.register(operationsRoutes, { prefix: '/admin' });
      await api.register(grantsRoutes, { prefix: '/admin' });
      await api.register(moneyRoutes, { prefix: '/admin/money' });
      await api.register(reviewRoutes, { prefix: '/admin/quality' });
      await api.register(questionQualityRoutes, { prefix: '/questions' });
      await api.register(bankReleasesRoutes, { prefix: '/admin/bank-releases' });
      await api.register(questionChangesRoutes, { prefix: '/admin/question-changes' });
      await api.register(usersRoutes, { prefix: '/admin/users' });
      await api.register(importsRoutes, { prefix: '/admin/imports' });
      await api.register(importUploadsRoutes, { prefix: '/admin/imports' });
      await api.register(importQuestionsRoutes);
      await api.register(codePacketsRoutes, { prefix: '/packets' });
      await api.register(configRoutes);
      await api.register(cspReportsRoutes);
      await api.register(browserErrorsRoutes);
      await api.register(docsRoutes);
      await api.register(eventsRoutes);
      await api.register(examsRoutes);
      await api.register(glossaryRoutes);
      await api.register(imagesRoutes, { prefix: '/images' });
      await api.register(learningRoutes);
      await api.register(newsRoutes);
      await api.register(stopNewsRoutes);
      await api.register(passwordRoutes, { prefix: '/password' });
      await api.register(paymentRoutes, { prefix: '/payment' });
      await api.register(questionsRoutes, { prefix: '/questions' });
      await api.register(quizRoutes, { prefix: '/quiz' });
      await api.register(remindersRoutes);
      await api.register(sampleRoutes, { prefix: '/sample' });
      await api.register(stripeWebhookRoutes, { prefix: '/stripe' });
      await api.register(topicsRoutes);
    },
    { prefix: '/api/v1' },
  );
  await app.register(frontendRoutes);
  return app;
}
