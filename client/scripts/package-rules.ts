// The rules for the package: every runtime, bundler and compiler finds each entry with its types.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Checks a packed file with the two usual tools. */
export async function checkPackedFile(file: string): Promise<void> {
  const data = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const problems = messages.map((message) => String(formatMessage(message, pkg, { color: false })));
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (!analysis.types) problems.push('There are no types.');
  else problems.push(...analysis.problems.filter(isUnintended).map((problem) => JSON.stringify(problem)));
  report(problems);
}

function isUnintended(problem: Problem): boolean {
  // There are only ES modules, which `require` loads from Node 20.19 and 22.12 on.
  if (problem.kind === 'CJSResolvesToESM') return false;
  // `node10` is the setting for Node before 12, which does not know `exports`.
  return !(problem.kind === 'NoResolution' && problem.resolutionKind === 'node10');
}

/**
 * Checks that an installed package does not depend on the runtime: Bun, Deno, Node, workers and bundlers know different
 * conditions, and all load the same files, which import nothing of a runtime.
 */
export function checkInstalledFiles(folder: string): void {
  const { exports, peerDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const problems: string[] = [];
  for (const [name, entry] of Object.entries<object | string>(exports)) {
    const conditions = Object.keys(entry).join();
    if (typeof entry === 'object' && conditions !== 'types,default') problems.push(`${name}: ${conditions}`);
  }
  for (const file of globSync('**/*.js', { cwd: folder })) {
    for (const name of importsOf(readFileSync(path.join(folder, file), 'utf8'))) {
      if (!name.startsWith('.') && !(name in peerDependencies)) problems.push(`${file} imports ${name}.`);
    }
  }
  report(problems);
}

function importsOf(code: string): string[] {
  const imports = code.matchAll(
    /^(?:import|export)\b[^"';]*["']([^"']+)["']|\b(?:import|require)\(\s*["']([^"']+)["']/gm,
  );
  return Array.from(imports, ([, statement, call]) => (statement ?? call)!);
}

function report(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`The package has problems:\n${problems.join('\n')}`);
}
