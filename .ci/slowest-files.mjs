// slowest-files.mjs <report>: prints the slowest test files with their seconds, from Vitest's JSON report.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const shown = 10;

try {
  const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: path.relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1_000,
  }));
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`\n${files.length} files took ${total.toFixed(0)} s in total over all processes; the slowest:`);
  for (const { name, seconds } of files.sort((a, b) => b.seconds - a.seconds).slice(0, shown)) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  }
} catch (error) {
  console.log(`The report cannot be read: ${error.message}`);
}
