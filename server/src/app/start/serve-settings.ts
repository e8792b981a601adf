import type { Settings } from '../settings/settings.ts';

export interface ServeSettings extends Settings {
  readonly isSample: boolean;
  /** Whether the sample site was requested, but is not served. */
  readonly withoutSample: boolean;
  /** Whether the first key and the setup link go to a file, because the output is stored. */
  readonly hidesSecrets: boolean;
}
