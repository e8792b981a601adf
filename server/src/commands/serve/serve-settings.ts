import type { Settings } from '../settings.ts';

export interface ServeSettings extends Settings {
  readonly isSample: boolean;
  /** Whether the sample site was requested, but is not served. */
  readonly withoutSample: boolean;
}
