import type { Logger } from 'pino';
import { systemContext } from '../base/change-context.ts';
import { type Clock, type Timestamp, timestampAfter } from '../base/clock.ts';
import type { ApiKey } from '../domain/api-keys/api-key.ts';
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

const minute = 60_000;

/**
 * Records the hour of the last use of API keys, as `recordWith` does. What this process has recorded is in its memory, so
 * that a request with a key costs nothing. After a failure it tries again a minute later.
 */
export function recordKeyUses(writer: CallRunner, logger: Logger): (key: ApiKey, now: Timestamp) => void {
  /** Up to when nothing is to be recorded, by key. */
  const recorded = new Map<string, Timestamp>();
  return ({ siteId, id }, now) => {
    const usedAt = `${now.slice(0, 13)}:00:00.000Z`;
    const until = recorded.get(id);
    if (until !== undefined && now < until) return;
    recorded.set(id, timestampAfter(usedAt, 60 * minute));
    const call: ActionCall<'markKeyUsed'> = {
      action: 'markKeyUsed',
      siteId,
      changeContext: systemContext(now),
      input: { id, usedAt },
    };
    writer.run(call as ActionCall).catch((error) => {
      recorded.set(id, timestampAfter(now, minute));
      logger.warn({ err: error }, 'the use of an API key could not be recorded');
    });
  };
}
