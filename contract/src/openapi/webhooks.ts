import type { TObject } from 'typebox';
import { exampleOf } from '../shared/examples.ts';
import { EventIdsMessage, webhookMessages } from '../webhooks/webhook-messages.ts';
import type { JsonSchema, ParameterObject, WebhookObject } from './document.ts';
import type { NamedSchemas } from './schemas.ts';

/** The headers of each message (Standard Webhooks 1.0.0, "Webhook Headers"). */
export const webhookHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the message, the same each time it is sent.',
    schema: { type: 'string', format: 'uuid' },
    example: '01980a3e-7c22-7e0f-a417-90b8c6d5e4f3',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970. Reject what is older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1769851800',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures, separated by spaces: `v1,` and HMAC-SHA256 of the id, the timestamp and the body, with ' +
      'dots between them, in Base64. Accept the message if one of them is right.',
    schema: { type: 'string' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
} as const satisfies Record<string, ParameterObject>;

/** What is sent to webhooks, by the type of the message. */
export function webhooksOf(named: NamedSchemas): Record<string, { post: WebhookObject }> {
  return Object.fromEntries(
    Object.entries(webhookMessages).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `${type.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase())}Message`,
          summary: type,
          description: (schema as JsonSchema).description!,
          tags: ['Webhooks'],
          security: [],
          parameters: Object.keys(webhookHeaders).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(schema, named), example: exampleOf(schema) } },
          },
          responses: {
            '2XX': { description: 'The message has arrived. With any other status it is sent again.' },
          },
        },
      },
    ]),
  );
}

/** The full message of an event, or only its ids. */
function schemaOf(schema: TObject, named: NamedSchemas): JsonSchema {
  const full = named.refer(schema);
  return 'content' in schema.properties ? { anyOf: [full, named.refer(EventIdsMessage)] } : full;
}
