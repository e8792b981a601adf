import type { ReceivedResponse } from './call.ts';
import { withDeadline } from './deadline.ts';
import { GatehouseError } from './error.ts';
import type { StreamRequest } from './event-stream.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
import { type ApiRequest, toRequest } from './request.ts';
import { readResponse } from './response.ts';
import { millisecondsToRetry } from './retry.ts';
import type { Settings } from './settings.ts';
import type { OperationId, Parts, Shapes } from './shapes.ts';

/** Sends calls to the service, with retries. */
export class Connection {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The API key. */
  get key(): string {
    return this.#settings.key;
  }

  /** @throws GatehouseError; the reason of `options.signal` if that aborts */
  async send<Id extends OperationId>(
    id: Id,
    parts: Parts<Id>,
    options: CallOptions & CreateOptions & ChangeOptions = {},
  ): Promise<ReceivedResponse<Shapes[Id]['response']>> {
    const request = toRequest(this.#settings, id, parts, options);
    for (let retriesLeft = this.#settings.retries; ; retriesLeft--) {
      try {
        return (await this.#try(request, options.signal)) as ReceivedResponse<Shapes[Id]['response']>;
      } catch (error) {
        if (!(error instanceof GatehouseError) || retriesLeft === 0) throw error;
        const milliseconds = millisecondsToRetry(error, request, this.#settings.retries - retriesLeft);
        if (milliseconds === undefined) throw error;
        await this.wait(milliseconds, options.signal);
      }
    }
  }

  /** Follows the stream of events. @throws GatehouseError */
  async *stream(request: StreamRequest): AsyncGenerator<unknown, void, undefined> {
    // Pages that use no stream do not load it.
    const { followStream } = await import('./event-stream.ts');
    yield* followStream(this.#settings, request);
  }

  /** @throws the reason of the signal if it aborts */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#settings.wait(milliseconds, signal);
  }

  async #try(
    { url, init, requestId }: ApiRequest,
    signal: AbortSignal | undefined,
  ): Promise<ReceivedResponse<unknown>> {
    const { fetch, timeoutMilliseconds } = this.#settings;
    return withDeadline({ milliseconds: timeoutMilliseconds, signal, requestId }, async (deadline) => {
      const response = await fetch(url, { ...init, signal: deadline });
      return readResponse(response, await response.text(), requestId);
    });
  }
}
