import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** How long the end of the process waits for a program that reads the output slowly, or not at all. */
const maxWaitMilliseconds = 2_000;

/** The log of a service, on the standard output. */
export interface ServiceLog {
  readonly logger: Logger;
  /** Writes a line of the log of another process. */
  write(line: string): void;
  /** Ends the process when the output has taken all lines: those that still wait would be lost. */
  exit(code: number): void;
}

/**
 * JSON lines; readable lines on a terminal, unless JSON was requested.
 * @param base fields of every line
 */
export async function openLog(
  level: string,
  json: boolean,
  base: Readonly<Record<string, unknown>> | null = null,
): Promise<ServiceLog> {
  const options = { level, base, timestamp: stdTimeFunctions.isoTime };
  if (!json && process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const ignore = 'version,address,store,settingsFile,siteAddress,metricsAddress';
    const output = pretty({ singleLine: true, ignore, translateTime: 'SYS:HH:MM:ss' });
    return { logger: pino(options, output), write: writeTo(output), exit: (code) => process.exit(code) };
  }
  // Does not block the service while no one reads the output.
  const output = destination({ sync: false });
  const exit = async (code: number) => {
    output.end();
    await Promise.race([once(output, 'close'), sleep(maxWaitMilliseconds)]).catch(() => {});
    process.exit(code);
  };
  return { logger: pino(options, output), write: writeTo(output), exit };
}

function writeTo(output: { write(text: string): unknown }): ServiceLog['write'] {
  return (line) => void output.write(`${line}\n`);
}
