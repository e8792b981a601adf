import { findIdsAhead } from '../../../../app/service-state.ts';
import { maxAheadMilliseconds } from '../../../../base/ids-ahead.ts';
import { type Check, warn } from '../check.ts';

/** Processes of this machine that continue with times of a clock that was wrong before. */
export function checkIds(databaseUrl: string, now: Date): Check[] {
  return findIdsAhead(databaseUrl)
    .filter(({ lastTime }) => lastTime - now.getTime() > maxAheadMilliseconds)
    .map(({ pid, lastTime }) =>
      warn(
        'ids',
        `the service process ${pid} uses times up to ${new Date(lastTime).toISOString()}, because its clock was wrong before`,
        'Restart the service. Until then, new items get times that have not come yet.',
      ),
    );
}
