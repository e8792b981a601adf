import { spawnSync } from 'node:child_process';
import { noteSkipped } from './skipped.ts';

/** Runs the checker of Prometheus. Returns its complaints; empty if there are none. */
export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return status === 0 ? stderr : `${stdout}${stderr}` || `promtool ended with ${status}`;
}

/** Whether the tests with promtool are skipped; never in CI. */
export function lacksPromtool(): boolean {
  if (process.env.CI || !spawnSync('promtool', ['--version']).error) return false;
  noteSkipped('the checks of metrics, alert rules and their tests by promtool, which is not installed.');
  return true;
}
