import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { inject } from 'vitest';

/** Notes what this run leaves out, for the summary at its end. What is printed outside a test has no test to belong to. */
export function noteSkipped(what: string): void {
  appendFileSync(inject('skippedFile'), `${what}\n`);
}

/** The summary of what a run left out; undefined if it left out nothing. */
export function skippedSummary(file: string): string | undefined {
  const noted = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  if (noted.length === 0) return undefined;
  return `\nSkipped on this machine:\n${[...new Set(noted)].map((each) => `  ${each}\n`).join('')}`;
}
