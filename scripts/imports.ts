import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An import of a source file. */
export interface Import {
  /** The path of the importing file, relative to the folder that was read. */
  readonly file: string;
  /** The imported file, relative to the same folder, or the name of a package. */
  readonly target: string;
  /** Whether `target` is a path. */
  readonly isPath: boolean;
  /** An `import type`, which loads nothing. */
  readonly isType: boolean;
}

/** The source files in a folder and its subfolders, without tests and declarations. */
export function sourceFiles(folder: string): string[] {
  const files = globSync('**/*.{ts,tsx,mts,mjs}', { cwd: folder, exclude: ['**/node_modules', '**/dist'] });
  return files.filter((file) => !/\.test\.tsx?$|\.d\.m?ts$/.test(file));
}

/** The imports of some files in a folder, types included. */
export function importsOf(folder: string, files: readonly string[]): Import[] {
  return files.flatMap((file) => importsOfFile(folder, file));
}

function importsOfFile(folder: string, file: string): Import[] {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\b( type\b)?(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  );
  return [...statements].map(([, type, statement, call]) => {
    const name = (statement ?? call)!;
    const isPath = name.startsWith('.');
    return {
      file,
      target: isPath ? path.join(path.dirname(file), name) : name,
      isPath,
      isType: type !== undefined,
    };
  });
}

/** The circular imports, each one once, from its first file back to it. */
export function circularImports(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const circles = new Set<string>();
  for (const file of targets.keys()) {
    const circle = pathBack(targets, file);
    if (circle) circles.add(fromItsFirst(circle).join(' → '));
  }
  return [...circles];
}

/** The shortest way from a file back to itself. */
function pathBack(targets: Map<string, Import[]>, start: string): string[] | undefined {
  const previous = new Map<string, string>();
  const open = [start];
  for (const file of open) {
    for (const { target } of targets.get(file) ?? []) {
      if (target === start) return wayTo(previous, file);
      if (previous.has(target)) continue;
      previous.set(target, file);
      open.push(target);
    }
  }
  return undefined;
}

function wayTo(previous: Map<string, string>, end: string): string[] {
  const way = [end];
  for (let file = previous.get(end); file !== undefined; file = previous.get(file)) {
    way.unshift(file);
  }
  return way;
}

/** The same circle, whichever of its files it was found from. */
function fromItsFirst(circle: readonly string[]): string[] {
  const start = circle.indexOf([...circle].sort()[0]!);
  const turned = [...circle.slice(start), ...circle.slice(0, start)];
  return [...turned, turned[0]!];
}
