import type { Outcome } from '../parts/outcome.ts';
import type { ProgramName } from '../parts/programs.ts';
import type { World } from '../parts/world.ts';

/** A fault or a change of the surroundings, and what is promised during it. */
export interface Scenario {
  readonly title: string;
  readonly programs: readonly ProgramName[];
  /** After this time it is stopped, and counts as failed. */
  readonly maxMinutes: number;
  run(world: World): Promise<readonly Outcome[]>;
}
