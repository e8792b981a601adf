import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Event } from '@gatehouse/contract';
import { onTestFinished } from 'vitest';

/** A block of a stream: what is between two empty lines. */
export interface StreamBlock {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
}

/** A stream of events as one reader gets it. */
export class ReadStream {
  readonly response: IncomingMessage;
  readonly blocks: StreamBlock[] = [];
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.ended = new Promise((resolve) => void response.once('close', resolve));
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n\n');
      rest = parts.pop()!;
      this.blocks.push(...parts.map(toBlock));
    });
    response.on('error', () => {});
  }

  get events(): Event[] {
    return this.blocks.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data)]));
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  get lastId(): string | undefined {
    return this.blocks.findLast(({ id }) => id !== undefined)?.id;
  }

  close(): void {
    this.response.destroy();
  }
}

function toBlock(text: string): StreamBlock {
  const fields = text
    .split('\n')
    .filter((line) => !line.startsWith(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  return Object.fromEntries(fields);
}

/** Opens a stream. It is closed after the test. */
export async function openStream(
  { apiUrl, key }: { apiUrl: string; key: string },
  query = '',
  headers: Record<string, string> = {},
): Promise<ReadStream> {
  const stream = await tryStream({ apiUrl, key }, query, headers);
  if (stream instanceof ReadStream) return stream;
  throw new Error(`The stream was refused with ${stream}.`);
}

/** Opens a stream, or returns the status with which it is refused. */
export async function tryStream(
  { apiUrl, key }: { apiUrl: string; key: string },
  query = '',
  headers: Record<string, string> = {},
): Promise<ReadStream | number> {
  return tryStreamAt(`${apiUrl}/events/stream${query}`, { authorization: `Bearer ${key}`, ...headers });
}

/** Opens a stream at an address, or returns the status with which it is refused. */
export async function tryStreamAt(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReadStream | number> {
  const sent = request(address, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {});
  onTestFinished(() => void response.destroy());
  if (response.statusCode === 200) return new ReadStream(response);
  response.resume();
  return response.statusCode!;
}
