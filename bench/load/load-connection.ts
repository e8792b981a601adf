import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const receiveBytes = 64 * 1_024;

/** A keep-alive connection that sends one request after another, each after the response to the one before. */
export class LoadConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(status: number): void; reject(error: Error): void } | undefined;

  /** @param address `http://127.0.0.1:<port>` */
  static async open(address: string): Promise<LoadConnection> {
    const { hostname, port } = new URL(address);
    const buffer = Buffer.allocUnsafe(receiveBytes);
    let connection: LoadConnection | undefined;
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer,
        callback: (bytes) => {
          connection!.#receive(buffer.subarray(0, bytes));
          return true;
        },
      },
    });
    await once(socket, 'connect');
    connection = new LoadConnection(socket);
    return connection;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
  }

  /** Returns the status of the response. */
  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const bodyStart = this.#received.indexOf(headEnd) + headEnd.length;
    if (bodyStart < headEnd.length || !isComplete(this.#received, bodyStart)) {
      // The buffer of the socket is used again.
      this.#received = Buffer.from(this.#received);
      return;
    }
    const status = Number(this.#received.toString('latin1', 9, 12));
    this.#received = this.#received.subarray(0, 0);
    this.#waiting?.resolve(status);
  }
}

function isComplete(received: Buffer, bodyStart: number): boolean {
  const head = received.toString('latin1', 0, bodyStart);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return received.length >= bodyStart + Number(length);
  return !/\r\ntransfer-encoding:/i.test(head) || received.subarray(-5).equals(lastChunk);
}

const lastChunk = Buffer.from('0\r\n\r\n');
