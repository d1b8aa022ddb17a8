import type { ApiDocument, Media, Operation } from '@proveklar/gateway/openapi/document.ts';

/** A request in the API document, and the answer that the document shows for it. */
export interface DocumentedCall {
  /** `operationId.example` or `operationId.error_code`. */
  name: string;
  operationId: string;
  /** The operation's first example: an error example is that call, made to fail. */
  base: string;
  method: string;
  url: string;
  request: {
    path: Record<string, unknown>;
    query: Record<string, unknown>;
    headers: Record<string, unknown>;
    body?: unknown;
  };
  status: number;
  /** Undefined if the answer is not JSON. */
  answer: unknown;
  /** The error code, if it is an error. */
  code?: string;
}

/** Every example of the API document as a call. */
export function documentedCalls(document: ApiDocument): DocumentedCall[] {
  return operationsOf(document).flatMap(({ method, url, operation }) => {
    const answers = examplesOf(operation, (status) => status < 400);
    const [first] = answers;
    const { operationId } = operation;
    if (!operationId || !first) return [];
    const call = (name: string, example: string, status: number, answer: unknown) => ({
      name: `${operationId}.${name}`,
      operationId,
      base: `${operationId}.${first.name}`,
      method,
      url,
      request: requestOf(operation, example),
      status,
      answer,
    });
    return [
      ...answers.map(({ name, status, value }) => call(name, name, status, value)),
      ...examplesOf(operation, (status) => status >= 400).map(({ name, status, value }) => ({
        ...call(name, first.name, status, value),
        code: name,
      })),
    ];
  });
}

/** What is missing from the document, each with what to write where. */
export function undocumented(document: ApiDocument): string[] {
  const tags = new Set(document.tags?.map(({ name }) => name));
  return operationsOf(document).flatMap(({ method, url, operation }) => {
    const name = `${method.toUpperCase()} ${url}`;
    const [tag = 'none'] = operation.tags ?? [];
    if (!operation.operationId) {
      return [
        `${name} has no examples: write an OperationDocs for it in gateway/openapi/examples/ and ` +
          'name it in its route (config.docs)',
      ];
    }
    const missing: string[] = [];
    if (!tags.has(tag)) missing.push(`tag "${tag}" is not described in gateway/openapi/info.ts`);
    if (!operation.summary) missing.push('summary is missing in its route');
    for (const parameter of operation.parameters ?? []) {
      if (!parameter.examples && parameter.example === undefined)
        missing.push(`no example has ${parameter.name}`);
    }
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      if (isEmpty(media)) missing.push('no example has a body');
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response.content) continue;
      for (const media of Object.values(response.content)) {
        if (isEmpty(media)) missing.push(`no example is answered with ${status}`);
      }
    }
    return missing.map((problem) => `${name}: ${problem}`);
  });
}

function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, url, operation })),
  );
}

function isEmpty({ examples = {} }: Media): boolean {
  return Object.keys(examples).length === 0;
}

function examplesOf({ responses }: Operation, wanted: (status: number) => boolean) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content)
      // Of several types, the first has the examples that are called.
      .slice(0, 1)
      .filter(() => wanted(Number(status)))
      .flatMap(({ examples = {} }) =>
        Object.entries(examples).map(([name, { value }]) => ({
          name,
          status: Number(status),
          value,
        })),
      ),
  );
}

function requestOf(operation: Operation, example: string): DocumentedCall['request'] {
  const values = (place: string) =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === place)
        .map(({ name, example: always, examples }) => [name, examples?.[example]?.value ?? always])
        .filter(([, value]) => value !== undefined),
    );
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const body = media?.examples?.[example]?.value;
  return { path: values('path'), query: values('query'), headers: values('header'), body };
}
