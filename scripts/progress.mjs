// Shows the progress of long work: on a terminal as one line that changes, elsewhere as separate lines. Plain
// JavaScript, because the machine's own Node may be as old as 20.

const barWidth = 24;

/**
 * Shows progress until the returned function is called, which prints the result.
 *
 * @param label the name of the work: `Installing packages`
 * @param measure returns how much is done of the total; null if unknown, then the seconds are shown
 */
export function showProgress(label, measure, { stream = process.stderr, intervalMilliseconds } = {}) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const show = stream.isTTY ? showOnTerminal(stream, label, seconds) : showInLines(stream, label, seconds);
  show(measure());
  const timer = setInterval(() => show(measure()), intervalMilliseconds ?? (stream.isTTY ? 250 : 1000));
  return (result) => {
    clearInterval(timer);
    if (stream.isTTY) stream.write('\r\x1b[K');
    stream.write(`${label}: ${result} after ${seconds()} s.\n`);
  };
}

function showOnTerminal(stream, label, seconds) {
  return (progress) => {
    const state = progress ? `${bar(progress)} ${progress.done} of ${progress.total}` : `${seconds()} s`;
    stream.write(`\r\x1b[K${label} ${state}`);
  };
}

/** One line for each tenth, or for each ten seconds. */
function showInLines(stream, label, seconds) {
  stream.write(`${label} …\n`);
  let shown = 0;
  return (progress) => {
    const step = progress ? Math.floor((10 * progress.done) / progress.total) : Math.floor(seconds() / 10);
    if (step <= shown) return;
    shown = step;
    stream.write(`  ${progress ? `${progress.done} of ${progress.total}` : `${seconds()} s`}\n`);
  };
}

function bar({ done, total }) {
  const filled = Math.round((barWidth * done) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
}
