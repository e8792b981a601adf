// Receives the webhooks of Stripe, and gives the members of a site what they have paid for: `paid`, and the access groups
// of the prices. The guide is docs/guides/integrations/stripe.md.

import { createServer, type IncomingMessage } from 'node:http';
import { handleEvent } from './events.ts';
import { readSettings } from './settings.ts';

const settings = await readSettings();
const { PORT = '3000' } = process.env;
/** Events of Stripe are far smaller. */
const maxBodyBytes = 1_048_576;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const server = createServer(async (request, response) => {
  const { status, text } = await answerTo(request).catch((error): Answer => {
    // Stripe sends the event again, for up to three days.
    console.error(`failed: ${error instanceof Error ? error.message : error}`);
    return {
      status: 500,
      text: 'Stripe or Gatehouse is unavailable, or has rejected a request: see the log.',
    };
  });
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'));
process.once('SIGTERM', () => server.close());

async function answerTo(request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') return { status: 405, text: 'This URL is for the webhooks of Stripe.' };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, text: 'The body is too large.' };
  const event = eventIn(body, request.headers['stripe-signature']);
  if (event === undefined)
    return { status: 400, text: 'The signature is not valid, or this is not an event.' };
  const text = await handleEvent(settings, event);
  console.log(`${event.type} ${event.id}: ${text}`);
  return { status: 200, text };
}

/** The signature is that of the body as it has arrived, and at most five minutes old. */
function eventIn(body: Buffer, signature: string | string[] | undefined) {
  try {
    return settings.stripe.webhooks.constructEvent(body, String(signature ?? ''), settings.webhookSecret);
  } catch (error) {
    console.error(`rejected: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`);
    return undefined;
  }
}

/** The whole body; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}
