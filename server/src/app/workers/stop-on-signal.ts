import type { ServiceLog } from '../log/service-log.ts';

/** The steps of stopping have their own time limits, about ten seconds in total. */
const maxStopSeconds = 15;

/** A service, or one that is being started. */
export interface Stoppable {
  /** Begins to drain. Returns false if no requests are served yet. */
  drain(): boolean;
  stop(): Promise<void>;
}

/**
 * Ends the process on a signal: after the time to drain, if there is one, and after the service has stopped. A second
 * signal ends the drain.
 */
export function stopOnSignal(
  { logger, exit }: ServiceLog,
  drainSeconds: number,
  { drain, stop }: Stoppable,
): void {
  let state: 'serving' | 'draining' | 'stopping' = 'serving';
  let end: NodeJS.Timeout | undefined;
  const beginStop = (signal?: NodeJS.Signals) => {
    state = 'stopping';
    clearTimeout(end);
    logger.info({ signal }, 'Gatehouse is stopping');
    // All acknowledged changes are stored. A thread or connection that still keeps the process alive is abandoned.
    const limit = setTimeout(() => {
      logger.error(`stopping took longer than ${maxStopSeconds} s and was aborted`);
      exit(1);
    }, maxStopSeconds * 1_000).unref();
    stop()
      .finally(() => clearTimeout(limit))
      .then(
        () => {
          logger.info('Gatehouse has stopped');
          exit(0);
        },
        (error) => {
          logger.error({ err: error }, 'stopping failed');
          exit(1);
        },
      );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (state === 'stopping') return;
    if (state === 'draining' || drainSeconds === 0 || !drain()) return beginStop(signal);
    state = 'draining';
    logger.info({ signal, drainSeconds }, 'Gatehouse is not ready any more, and still serves requests');
    end = setTimeout(beginStop, drainSeconds * 1_000);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}
