import { reportWarnings } from '../../base/warnings.ts';
import { openLog, type ServiceLog } from '../log/service-log.ts';
import { report } from '../report.ts';
import type { ServeSettings } from '../start/serve-settings.ts';
import { startService } from '../start/service.ts';
import type { Gatehouse } from '../start-gatehouse.ts';
import { WorkerLink } from './worker-link.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

// A process that serves requests beside others. Node ends it when the primary process is gone.

const send = (message: FromWorker) => void process.send!(message, undefined, {}, () => {});
const link = new WorkerLink(send);
let log: ServiceLog | undefined;
let gatehouse: Gatehouse | undefined;
let isDraining = false;

process.on('message', (message: ToWorker) => {
  if ('start' in message) void start(message.start);
  else if ('drain' in message) drain();
  else if ('stop' in message) void stop();
  else link.receive(message);
});
// The primary process decides when to stop. A terminal, and systemd, send a signal to all processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

async function start({ number, settings, tokens, isFirst, json }: WorkerStart): Promise<void> {
  try {
    log = await openLog(settings.logLevel, true, { worker: number });
    const { logger, exit } = log;
    reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
    const group = { link, isFirst };
    const service = await startService(withOwnMetrics(settings, number), {
      logger,
      tokens,
      json,
      group,
      onFatal: () => exit(1),
    });
    gatehouse = service.gatehouse;
    if (isDraining) gatehouse.drain();
    const { address, siteAddress, metricsAddress } = gatehouse;
    const { firstKey, setupUrl, secretsFile } = service;
    if (metricsAddress !== undefined)
      logger.info({ metricsAddress }, `The metrics are at ${metricsAddress}/metrics`);
    send({ ready: { address, siteAddress, firstKey, setupUrl, secretsFile } });
  } catch (error) {
    process.exit(report(error, json));
  }
}

/** Also a worker that is still starting must not be taken for one that stays. */
function drain(): void {
  isDraining = true;
  gatehouse?.drain();
}

/** Each worker has its metrics at a port of its own, the first one at that of the settings. */
function withOwnMetrics(settings: ServeSettings, number: number): ServeSettings {
  const { metricsPort } = settings;
  return metricsPort ? { ...settings, metricsPort: metricsPort + number - 1 } : settings;
}

async function stop(): Promise<void> {
  try {
    await gatehouse?.stop();
    (log ?? process).exit(0);
  } catch (error) {
    log?.logger.error({ err: error }, 'stopping failed');
    (log ?? process).exit(1);
  }
}
