import type { DeliveryError } from '@gatehouse/contract';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../base/clock.ts';
import { OutgoingRequestError, OutgoingRequestFailed } from '../../base/networks/outgoing-error.ts';
import {
  maxAttemptMilliseconds,
  type OutgoingMessage,
  type SendResult,
} from '../../domain/webhooks/deliveries/outgoing-message.ts';
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { retryAfterSeconds } from '../outgoing/retry-after.ts';

const maxResponseBytes = 64 * 1024;
const storedBytes = 1_024;
/** Shorter parts of a URL cannot be secrets: others would guess them. */
const minSecretLength = 12;

/** Sends a message as in Standard Webhooks 1.0.0. A redirect is a failure. */
export async function sendMessage(
  http: OutgoingHttp,
  message: OutgoingMessage,
  clock: Clock,
  signal: AbortSignal,
): Promise<SendResult> {
  const now = clock();
  const start = performance.now();
  const result = {
    startedAt: now.toISOString(),
    status: null as number | null,
    responseBody: null as string | null,
    error: null as DeliveryError | null,
    retryAfter: undefined as number | undefined,
  };
  try {
    const response = await http.fetch(message.url, {
      method: 'POST',
      headers: headersOf(message, now),
      body: message.body,
      signal,
      timeoutMilliseconds: maxAttemptMilliseconds,
      maxBytes: maxResponseBytes,
    });
    result.status = response.status;
    result.retryAfter = retryAfterSeconds(response.headers.get('retry-after'), clock());
    const beginning = await readBeginning(response);
    result.responseBody = beginning && withoutSecrets(beginning, message.url);
    if (!response.ok) result.error = statusError(response.status);
  } catch (error) {
    if (!(error instanceof OutgoingRequestError)) throw error;
    result.error = { code: error.reason as DeliveryError['code'], message: error.message };
  }
  return { ...result, durationMilliseconds: Math.round(performance.now() - start) };
}

function headersOf({ id, body, secrets }: OutgoingMessage, now: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/** The beginning as text. The rest is read too, so that the connection can be used again, unless it is long. */
async function readBeginning({ body }: Response): Promise<string | null> {
  if (body === null) return null;
  let beginning = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      if (beginning.length < storedBytes)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, storedBytes);
    }
  } catch (error) {
    const isLong = error instanceof OutgoingRequestFailed && error.reason === 'response_too_large';
    if (!isLong) throw error;
  }
  // PostgreSQL cannot store U+0000.
  return new TextDecoder().decode(beginning).replaceAll('\0', '\uFFFD');
}

/**
 * Some receivers repeat the path in the response. What may be a secret in the URL is not stored with it: parts of
 * the path and values of the query that are long.
 */
function withoutSecrets(text: string, url: string): string {
  const parts = new URL(url).href.split(/[/?&=#]/).slice(3);
  return parts
    .filter((part) => part.length >= minSecretLength)
    .flatMap((part) => [part, decodedPart(part)])
    .reduce((rest, part) => rest.replaceAll(part, '…'), text);
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function statusError(status: number): DeliveryError {
  return {
    code: 'status',
    message: `The receiver answered ${status}. Its log may say why.`,
  };
}
