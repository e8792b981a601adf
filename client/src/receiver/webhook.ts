import { Webhook } from 'standardwebhooks';
import type { components } from '../api/operations.ts';

type Schemas = components['schemas'];

/**
 * What a webhook receives: narrow it by `type`. Types may be added, so ignore types that you do not know. A webhook with
 * the content `ids` receives `EventIdsMessage`: narrow by `content` too.
 */
export type WebhookMessage = {
  [Name in keyof Schemas]: Name extends `${string}Message` ? Schemas[Name] : never;
}[keyof Schemas];

/** The headers of a request: those of Node, or of the web (`Request.headers`). */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that the service has not sent, or that was changed, or is older than five minutes. */
export class WebhookVerificationFailed extends Error {
  constructor(cause: unknown) {
    super('This is not a valid message of the webhook. Answer with status 400.', { cause });
    this.name = 'WebhookVerificationFailed';
  }
}

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies a message that a webhook has received, and returns it. Works in Node, Bun, Deno and workers.
 * @param body of the request exactly as it has arrived, before anything has parsed it
 * @param secret `whsec_…`, or several: a message is valid if one of them has signed it
 * @throws WebhookVerificationFailed
 * @throws TypeError if a secret is not valid
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookMessage {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const values = Object.fromEntries(headerNames.map((name) => [name, headerOf(headers, name)]));
  let failure: unknown;
  for (const verifier of [secret].flat().map(verifierOf)) {
    try {
      return verifier.verify(text, values) as WebhookMessage;
    } catch (error) {
      failure = error;
    }
  }
  throw new WebhookVerificationFailed(failure);
}

function verifierOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (cause) {
    throw new TypeError('The secret of a webhook must be as it was shown: whsec_ and Base64.', { cause });
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return String([value ?? ''].flat()[0]);
}
