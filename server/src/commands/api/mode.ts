import type { Addition } from './addition.ts';
import type { Parts, SiteApi } from './calls/site-api.ts';

/** Prepares, before the call, how its result is printed as JSON. */
export type ToJson = (parts: Parts, api: SiteApi) => Promise<(result: unknown) => unknown>;

/** How a command is run, if not as it is spelled now. */
export interface Mode {
  readonly toJson?: ToJson | undefined;
  /** Only on the database, or only with a service. */
  readonly only?: 'direct' | 'remote' | undefined;
  readonly isConfirmed?: true | undefined;
  /** Throws if the result is a failure for it. */
  readonly requires?: ((result: unknown) => void) | undefined;
  readonly text?: Addition['text'] | undefined;
  /** What has to be there first. */
  readonly before?: ((api: SiteApi) => Promise<unknown>) | undefined;
}
