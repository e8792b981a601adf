/** The parts of OpenAPI 3.1 that this API uses. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: { url: string; description?: string }[];
  security: SecurityRequirement[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  /** The messages that the service sends. */
  webhooks?: Record<string, { post: WebhookObject }>;
  components: Components;
}

export interface Components {
  schemas: Record<string, JsonSchema>;
  parameters: Record<string, ParameterObject>;
  headers: Record<string, HeaderObject>;
  responses: Record<string, ResponseObject>;
  examples: Record<string, { summary: string; value: unknown }>;
  securitySchemes: Record<string, object>;
}

export type SecurityRequirement = Record<string, readonly string[]>;

export interface Reference {
  $ref: string;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: SecurityRequirement[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject | Reference>;
}

/** What is sent to a receiver. */
export interface WebhookObject extends Omit<OperationObject, 'responses'> {
  responses: Record<string, { description: string }>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface HeaderObject {
  description: string;
  schema: JsonSchema;
  example: unknown;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, Reference>;
  content?: Content;
}

export type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, Reference> }
>;

/** The parts of JSON Schema (draft 2020-12) that this API uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  default?: unknown;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string>; 'x-extensible'?: boolean };
}
