import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const listName = 'SHA256SUMS';

/**
 * Writes the list that `sha256sum --check SHA256SUMS` reads.
 * @param names files and folders in `out`
 */
export function writeChecksums(out: string, names: readonly string[]): void {
  const files = names.flatMap((name) => filesAt(out, name)).sort();
  const lines = files.map((name) => `${sha256(readFileSync(path.join(out, name)))}  ${name}\n`);
  writeFileSync(path.join(out, listName), lines.join(''));
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function filesAt(out: string, name: string): string[] {
  if (!statSync(path.join(out, name)).isDirectory()) return [name];
  return readdirSync(path.join(out, name)).flatMap((inside) => filesAt(out, `${name}/${inside}`));
}
