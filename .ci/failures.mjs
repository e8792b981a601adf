// failures.mjs <report>: prints each failed test, and each file that failed outside its tests, with the first line of
// its reason and where it happened, from Vitest's JSON report. A long log may be cut where the reasons stand in full.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const maxLength = 300;

try {
  const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  for (const { name, status, message, assertionResults } of testResults) {
    const file = path.relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of failed) print(`${file}: ${fullName}`, failureMessages[0]);
    if (status === 'failed' && failed.length === 0) print(`${file}, outside its tests`, message);
  }
} catch (error) {
  console.log(`The report cannot be read: ${error.message}`);
}

function print(what, reason = '') {
  const [first, ...others] = reason.trim().split('\n');
  // What Playwright waited for, and the line of the test.
  const waited = others.find((line) => line.includes('waiting for'));
  const place = others.find((line) => line.includes('.test.ts:'));
  console.log(`FAILED ${what}`);
  for (const line of [first, waited, place])
    if (line) console.log(`       ${line.trim().slice(0, maxLength)}`);
}
