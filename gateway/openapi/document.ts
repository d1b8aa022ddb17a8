/** The parts of an OpenAPI 3.1 document that we write or read. https://spec.openapis.org/oas/v3.1.1 */
export interface ApiDocument {
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, unknown>;
    /** By status: responses to requests that are rejected before their operation is known. */
    responses: Record<string, ApiResponse>;
  };
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  /** Empty on a public operation. */
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, ApiResponse>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: unknown;
  /** One value for all examples, or one for each by its name. */
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface ApiResponse {
  /** A reference to one of `components.responses`; then nothing else is set. */
  $ref?: string;
  description?: string;
  headers?: Record<string, { description: string; schema: unknown }>;
  content?: Record<string, Media>;
}

export interface Media {
  schema?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}
