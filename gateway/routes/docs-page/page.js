// What the options mean: https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
globalThis.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  // Every schema is shown at the operation that takes it.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 5,
  displayRequestDuration: true,
  // The default would ask a host outside whether the document is valid.
  validatorUrl: null,
});
