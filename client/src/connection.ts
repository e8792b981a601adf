import { readAnswer } from './answer.ts';
import type { Answer } from './call.ts';
import { withDeadline } from './deadline.ts';
import { GatehouseError } from './error.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
import { type ApiRequest, toRequest } from './request.ts';
import { millisecondsToRetry } from './retry.ts';
import type { CalledOperationId } from './routes.ts';
import type { Settings } from './settings.ts';
import type { Shapes } from './types.ts';

/** The parts of a request that the operation takes: `params`, `query`, `body`. */
export type Parts<Id extends CalledOperationId> = Omit<Shapes[Id], 'answer'>;

/** Sends calls to the service, again if need be. */
export class Connection {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** What only this client and the service know. */
  get key(): string {
    return this.#settings.key;
  }

  /** @throws GatehouseError; the reason of `options.signal` when that aborts */
  async send<Id extends CalledOperationId>(
    id: Id,
    parts: Parts<Id>,
    options: CallOptions & CreateOptions & ChangeOptions = {},
  ): Promise<Answer<Shapes[Id]['answer']>> {
    const request = toRequest(this.#settings, id, parts, options);
    for (let retriesLeft = this.#settings.retries; ; retriesLeft--) {
      try {
        return (await this.#try(request, options.signal)) as Answer<Shapes[Id]['answer']>;
      } catch (error) {
        if (!(error instanceof GatehouseError) || retriesLeft === 0) throw error;
        const milliseconds = millisecondsToRetry(error, request, this.#settings.retries - retriesLeft);
        if (milliseconds === undefined) throw error;
        await this.wait(milliseconds, options.signal);
      }
    }
  }

  /** @throws the reason of the signal when it aborts */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#settings.wait(milliseconds, signal);
  }

  async #try(
    { url, init, requestId }: ApiRequest,
    signal: AbortSignal | undefined,
  ): Promise<Answer<unknown>> {
    const { fetch, timeoutMilliseconds } = this.#settings;
    return withDeadline({ milliseconds: timeoutMilliseconds, signal, requestId }, async (deadline) => {
      const response = await fetch(url, { ...init, signal: deadline });
      return readAnswer(response, await response.text(), requestId);
    });
  }
}
