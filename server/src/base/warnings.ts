/**
 * Experimental features of Node that Gatehouse uses; older versions of Node print a warning about them at every start.
 */
const knownFeatures = /SQLite|execve|Type Stripping/i;

/** Passes the warnings of Node in this thread to `report` instead of printing them to standard error. */
export function reportWarnings(report: (warning: Error) => void): void {
  // With --no-warnings, warnings are not wanted at all.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && knownFeatures.test(warning.message)) return;
    report(warning);
  });
}
