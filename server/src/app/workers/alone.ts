import { reportWarnings } from '../../base/warnings.ts';
import { openLog } from '../log/service-log.ts';
import { newTokens } from '../service-state.ts';
import { announce, registerService } from '../start/announcement.ts';
import type { ServeSettings } from '../start/serve-settings.ts';
import { startService } from '../start/service.ts';
import type { Gatehouse } from '../start-gatehouse.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Runs Gatehouse in this process until it receives a signal. */
export async function serveAlone(settings: ServeSettings, json: boolean): Promise<void> {
  const log = await openLog(settings.logLevel, json);
  const { logger } = log;
  reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
  const tokens = newTokens();
  let gatehouse: Gatehouse | undefined;
  let unregister = () => {};
  stopOnSignal(log, settings.drainSeconds, {
    drain: () => {
      gatehouse?.drain();
      return gatehouse !== undefined;
    },
    stop: async () => {
      unregister();
      await gatehouse?.stop();
    },
  });
  const service = await startService(settings, { logger, tokens, json, onFatal: () => log.exit(1) });
  gatehouse = service.gatehouse;
  const { address, siteAddress, metricsAddress } = gatehouse;
  const ready = { ...service, address, siteAddress, metricsAddress };
  unregister = registerService(settings, ready, tokens, logger);
  announce(settings, ready, logger, json);
}
