import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forOneStore } from '../../../server/test/stores.ts';
import { useTestServer } from '../../../server/test/use-server.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(here, '../../..');
const openApi = path.join(root, 'contract/openapi.json');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-generated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'built',
  },
};

/** The generators, with the arguments from their guides; the last argument is the output. */
const generators = [
  { flow: 'openapi-fetch', name: 'openapi-typescript', args: [openApi, '-o', 'schema.ts'] },
  { flow: 'hey-api', name: '@hey-api/openapi-ts', args: ['-i', openApi, '-o', 'client'] },
] as const;

describe.each(generators)('$name', ({ flow, name, args }) => {
  const place = path.join(folder, flow);
  let parserErrors: string;

  beforeAll(async () => {
    cpSync(path.join(here, 'flows', `${flow}.ts`), path.join(place, 'flow.ts'));
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(tsconfig));
    symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
    await run(programOf(name), args, place);
    parserErrors = await run(compiler, ['--project', '.'], place).catch((error) => error.message);
  });

  test('its client passes a strict compiler', () => {
    expect(readdirSync(place)).toContain(args.at(-1));
    expect(parserErrors).toBe('');
  });

  forOneStore((store) => {
    const server = useTestServer(store);

    test('a program that uses its client works', async () => {
      const { key } = await server.createSite();
      const env = { GATEHOUSE_URL: server.address, GATEHOUSE_KEY: key };
      expect(await run(path.join(place, 'built/flow.js'), [], place, env)).toBe('done\n');
    });
  });
});

/** The file that the command of a package runs. Not every package exports its manifest. */
function programOf(name: string): string {
  const manifest = resolveManifest(name);
  const { bin } = createRequire(manifest)(manifest);
  return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : (Object.values(bin)[0] as string));
}

function resolveManifest(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const manifests = folders.map((folder) => path.join(folder, name, 'package.json'));
  return manifests.find((manifest) => existsSync(manifest))!;
}

/** Runs a program and returns its output. If it fails, the output is part of the error. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = promisify(execFile)(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  const { stdout } = await command.catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}
