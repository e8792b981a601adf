/** Features of Node that Gatehouse uses knowingly; older versions warn of them at every start. */
const knownFeatures = /SQLite|execve|Type Stripping/i;

/** Hands the warnings of Node in this thread on, instead of lines of its own on the standard error. */
export function reportWarnings(report: (warning: Error) => void): void {
  // Whoever starts Node with --no-warnings wants none.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && knownFeatures.test(warning.message)) return;
    report(warning);
  });
}
