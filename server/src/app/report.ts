import { withInstalledName } from '../base/installed-package.ts';
import { printable } from '../base/text/printable.ts';
import { describeFailure } from './describe-failure.ts';

/** Prints an error as one line to the standard error. Returns the exit code: 1 failed, 2 wrong usage. */
export function report(error: unknown, json: boolean): number {
  const { exitCode, code, message: described, requestId, details } = describeFailure(error);
  const message = withInstalledName(described);
  const text = json
    ? JSON.stringify({ error: { code, message, requestId, ...details } })
    : `gatehouse: ${message.split('\n').map(printable).join('\n')}`;
  process.stderr.write(`${text}\n`);
  if (/^(debug|trace)$/.test(process.env.GATEHOUSE_LOG_LEVEL ?? '')) console.error(error);
  return exitCode;
}
