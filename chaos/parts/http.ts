import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const timeoutMilliseconds = 20_000;

export interface HttpResponse {
  /** Undefined when no response arrived. */
  readonly status: number | undefined;
  readonly text: string;
  readonly milliseconds: number;
  /** Why no response arrived. */
  readonly error?: string;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (method: string, path: string, sent?: Sent) => Promise<HttpResponse>;

/** Sends requests to an address, over as many connections as there are requests at the same time. Never rejects. */
export function requestsTo(address: () => string, headers: Readonly<Record<string, string>> = {}): Send {
  const agent = new Agent({ keepAlive: true });
  return async (method, path, sent = {}) => {
    const start = performance.now();
    const ended = () => performance.now() - start;
    try {
      const { status, body } = await exchange(agent, address() + path, method, {
        ...sent,
        headers: { ...headers, ...sent.headers },
      });
      return { status, text: body, milliseconds: ended() };
    } catch (error) {
      return { status: undefined, text: '', milliseconds: ended(), error: (error as Error).message };
    }
  };
}

/** Requests to the API with a key. */
export function requestsWithKey(address: () => string, key: string): Send {
  return requestsTo(() => `${address()}/api/v1`, { authorization: `Bearer ${key}` });
}

function exchange(
  agent: Agent,
  url: string,
  method: string,
  { body, headers }: Sent,
): Promise<{ status: number; body: string }> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method,
        timeout: timeoutMilliseconds,
        headers: {
          ...headers,
          ...(content !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(content)),
          }),
        },
      },
      (response) => {
        text(response).then((received) => resolve({ status: response.statusCode!, body: received }), reject);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${timeoutMilliseconds} ms`)));
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}
