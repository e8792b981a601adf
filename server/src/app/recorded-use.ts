import type { Logger } from 'pino';
import { systemContext } from '../base/change-context.ts';
import type { Clock } from '../base/clock.ts';
import type { ActionCall, ActionInput, CallRunner } from '../runtime/call.ts';

/**
 * Records the use of a session or an access token without delaying the response. A failed attempt is repeated at the next
 * request.
 */
export function recordWith<Action extends 'prolongSession' | 'markTokenUsed'>(
  action: Action,
  writer: CallRunner,
  clock: Clock,
  logger: Logger,
) {
  const inProgress = new Set<string>();
  return (siteId: string, used: ActionInput<Action>): void => {
    if (inProgress.has(used.id)) return;
    inProgress.add(used.id);
    const call: ActionCall<Action> = {
      action,
      siteId,
      changeContext: systemContext(clock().toISOString()),
      input: used,
    };
    writer
      .run(call as ActionCall)
      .catch((error) =>
        logger.warn({ err: error }, 'the use of a session or an access token could not be recorded'),
      )
      .finally(() => inProgress.delete(used.id));
  };
}
