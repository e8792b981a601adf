// biome-ignore lint/suspicious/noExplicitAny: the tests change any part of the document at will
export type Anything = Record<string, any>;

/** A small API with every part that can break, for tests. */
export function smallApi() {
  return {
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          security: [{ apiKey: ['things:read'] }],
          parameters: [
            {
              name: 'limit',
              in: 'query',
              required: false,
              schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
            },
            {
              name: 'kind',
              in: 'query',
              required: false,
              schema: { type: 'string', enum: ['big', 'small'] },
            },
          ],
          responses: {
            200: {
              headers: { Link: {} },
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['data'],
                    properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
                  },
                },
              },
            },
            404: {
              headers: {},
              content: {
                'application/json': {
                  schema: {},
                  examples: { thing_not_found: {}, not_found: {} } as Anything,
                },
              },
            },
          },
        },
        post: {
          operationId: 'createThing',
          security: [{ apiKey: ['things:write'] }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThing' } } },
          },
          responses: { 201: { headers: {}, content: {} } },
        },
      },
      '/open': { get: { operationId: 'getOpen', security: [], responses: {} } },
    } as Anything,
    components: {
      schemas: {
        Thing: {
          type: 'object',
          required: ['id', 'name'],
          properties: {
            id: { type: 'string', format: 'uuid' },
            name: { type: 'string' },
            note: { type: ['string', 'null'] },
            kind: { type: 'string', enum: ['big', 'small'] },
            cause: { type: 'string', 'x-extensible-enum': ['hand', 'tool'] },
            detail: { type: 'object', anyOf: [{ $ref: '#/components/schemas/Detail' }] },
            result: {
              oneOf: [{ $ref: '#/components/schemas/Done' }],
              discriminator: { propertyName: 'status' },
            },
            event: {
              oneOf: [{ $ref: '#/components/schemas/Done' }],
              discriminator: { propertyName: 'status', 'x-extensible': true },
            },
          },
        },
        Detail: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } },
        Done: { type: 'object', required: ['status'], properties: { status: { const: 'done' } } },
        Paint: { type: 'object', properties: { color: { type: 'string' } }, additionalProperties: false },
        CreateThing: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 100 },
            note: { type: ['string', 'null'] },
            tags: { type: 'array', maxItems: 10, items: { type: 'string' } },
            action: { oneOf: [{ $ref: '#/components/schemas/Paint' }] },
          },
        },
      } as Anything,
    },
  };
}

export type SmallApi = ReturnType<typeof smallApi>;
