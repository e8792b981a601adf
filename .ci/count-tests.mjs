// count-tests.mjs <report> <exit code>: prints the numbers of passed and failed tests from Vitest's JSON report. A
// file that fails outside its tests counts as one failure, and so does a run that fails outside its files.
import { readFileSync } from 'node:fs';

const [report, exitCode] = process.argv.slice(2);
const { passed, failed } = count(report);
console.log(passed, exitCode === '0' ? failed : Math.max(failed, 1));

function count(file) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const failedOutside = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    );
    return { passed: numPassedTests, failed: numFailedTests + failedOutside.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
