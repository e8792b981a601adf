import { reportWarnings } from '../../base/warnings.ts';
import { openLog } from '../log/service-log.ts';
import { newTokens } from '../service-state.ts';
import { announce, registerService } from '../start/announcement.ts';
import type { ServeSettings } from '../start/serve-settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { WorkerGroup } from './worker-group.ts';

/** Runs Gatehouse in several processes until this one receives a signal. It serves no requests itself. */
export async function serveWithWorkers(settings: ServeSettings, json: boolean): Promise<void> {
  const log = await openLog(settings.logLevel, json);
  const { logger } = log;
  reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
  const tokens = newTokens();
  const group = new WorkerGroup({ settings, tokens, json }, log);
  let unregister = () => {};
  stopOnSignal(log, settings.drainSeconds, {
    drain: () => group.drain(),
    stop: async () => {
      unregister();
      await group.stop();
    },
  });
  const ready = await group.start();
  if (group.isStopping) return;
  // The first worker has said why it did not start.
  if (typeof ready === 'number') return log.exit(ready);
  unregister = registerService(settings, ready, tokens, logger);
  announce(settings, ready, logger, json);
}
