import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { expect } from 'vitest';
import type { TestResponse } from '../test-server.ts';

/** A connection that sends exactly the given bytes, whether or not they are HTTP. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #methods: string[];
  readonly closed: Promise<void>;
  #received = Buffer.alloc(0);

  static async open(address: string, ...methods: string[]): Promise<RawConnection> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket, methods);
  }

  private constructor(socket: Socket, methods: string[]) {
    this.#socket = socket;
    this.#methods = methods;
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
    });
    this.closed = finished(socket).catch(() => undefined);
  }

  get open(): boolean {
    return this.#socket.writable;
  }

  get nothingMore(): boolean {
    return this.#received.length === 0;
  }

  write(bytes: string | Uint8Array): void {
    if (this.open) this.#socket.write(bytes);
  }

  /** The next response; undefined if the connection is closed before it is complete. */
  async answer(): Promise<TestResponse | undefined> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer) return answer;
      if (this.#socket.closed) return undefined;
      await Promise.race([once(this.#socket, 'data').catch(() => undefined), this.closed]);
    }
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #takeAnswer(): TestResponse | undefined {
    const endOfHead = this.#received.indexOf('\r\n\r\n');
    if (endOfHead === -1) return undefined;
    const [first, ...lines] = this.#received.toString('latin1', 0, endOfHead).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first!)?.[1]);
    expect(status, first).toBeGreaterThan(0);
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(': ');
        expect(colon, line).toBeGreaterThan(0);
        return [line.slice(0, colon), line.slice(colon + 2)];
      }),
    );
    const start = endOfHead + 4;
    const length = this.#methods[0] === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0);
    if (this.#received.length < start + length) return undefined;
    const text = this.#received.toString('utf8', start, start + length);
    this.#received = this.#received.subarray(start + length);
    this.#methods.shift();
    return { status, headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }
}

/** Sends bytes on a new connection, and returns the first response. */
export async function sendRaw(address: string, ...parts: (string | Uint8Array)[]) {
  const connection = await RawConnection.open(address);
  for (const part of parts) connection.write(part);
  const answer = await connection.answer();
  connection.destroy();
  return answer;
}

/** The bytes of a request with `Host` and the given headers. */
export function requestText(line: string, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ host: 'gatehouse.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
