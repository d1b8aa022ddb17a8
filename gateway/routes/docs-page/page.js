// Options: https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
globalThis.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  // Hides the list of schemas: each is shown at its operation.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 5,
  displayRequestDuration: true,
  // The default validates the document at a third-party host.
  validatorUrl: null,
});
