import { type Duplex, pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { OutgoingRequestFailed } from '../../base/networks/outgoing-error.ts';
import type { Exchange } from './exchange.ts';

/** The compressions that a response may have, for the header Accept-Encoding. */
export const acceptedEncoding = 'gzip, br';

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
};

/**
 * The decompressed body of a response, which ends the exchange. Its bytes are counted twice: a small body can become a
 * large one, and a body without end can decompress to nothing.
 * @throws {OutgoingRequestFailed} `invalid_response` if it is compressed in another way, or more than once
 */
export function limitedBody(
  source: Readable,
  encoding: string,
  exchange: Exchange,
  host: string,
): ReadableStream<Uint8Array> {
  const decompressed = pipeline(
    [
      source,
      chunkLimit(host),
      byteLimit(exchange.maxBytes),
      ...decompression(encoding, exchange.maxBytes, host),
    ],
    () => {},
  ) as Transform;
  // It may fail while no one reads it; the next reader gets the error.
  const chunks = decompressed.on('error', () => {})[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await chunks.next();
      if (!done) return controller.enqueue(value);
    } catch (error) {
      exchange.abort(exchange.errorFor(error, host));
      throw exchange.signal.reason;
    }
    exchange.end();
    controller.close();
  };
  const cancel = (reason: unknown) => exchange.abort(reason);
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

function decompression(encoding: string, maxBytes: number, host: string): Duplex[] {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return [];
  const createDecoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (createDecoder !== undefined) return [createDecoder(), byteLimit(maxBytes)];
  throw new OutgoingRequestFailed(
    'invalid_response',
    `${host} sent a response with a compression that was not requested. Ask the administrator of the server.`,
  );
}

/** Each chunk costs as much work as some hundred bytes, so that one byte in each would occupy the thread. */
const maxSmallChunks = 1_000;
const minAverageBytes = 8;

function chunkLimit(host: string): Transform {
  let bytes = 0;
  let chunks = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      chunks += 1;
      if (chunks <= maxSmallChunks || bytes >= chunks * minAverageBytes) done(null, chunk);
      else done(inTooManyPieces(host));
    },
  });
}

function inTooManyPieces(host: string): OutgoingRequestFailed {
  return new OutgoingRequestFailed(
    'invalid_response',
    `${host} sent a response in pieces of a few bytes. Ask the administrator of the server.`,
  );
}

function byteLimit(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) done(null, chunk);
      else done(tooLarge(maxBytes));
    },
  });
}

function tooLarge(maxBytes: number): OutgoingRequestFailed {
  return new OutgoingRequestFailed(
    'response_too_large',
    `The response is larger than ${maxBytes.toLocaleString('en')} bytes. Use a URL with a smaller one.`,
  );
}
