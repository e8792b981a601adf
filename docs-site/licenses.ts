import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The parts of the interface of Vite that are used here. */
interface Bundle {
  readonly [file: string]: { readonly modules?: Readonly<Record<string, unknown>> };
}
interface Context {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): void;
}

/** Writes the licenses of the packages that are built into the pages, which go with every copy. */
export function licensesOfSite() {
  let isForBrowsers = false;
  return {
    name: 'licenses',
    configResolved({ build }: { build: { ssr: unknown } }) {
      isForBrowsers = !build.ssr;
    },
    generateBundle(this: Context, _: unknown, bundle: Bundle) {
      if (!isForBrowsers) return;
      const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
      const folders = new Set(
        modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []),
      );
      const source = [...folders].sort().map(licenseOf).join('\n');
      this.emitFile({ type: 'asset', fileName: 'licenses.md', source: `# Licenses\n\n${source}` });
    },
  };
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const [file] = existsSync(folder) ? globSync('{LICENSE,LICENCE,license}*', { cwd: folder }) : [];
  const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  return `## ${name} - ${version} (${license})\n${text}`;
}
