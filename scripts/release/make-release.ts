// Makes a release in `dist` from the builds of this clone. Two runs of one commit give the same bytes.
//
//   npm run release                            everything
//   npm run release -- --only tarball,image    some parts
//   npm run release -- --out <folder>          in another folder

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { entriesOf, gzip, tar } from './archive.ts';
import { writeChecksums } from './checksums.ts';
import { makeDebianPackages } from './deb/debian-package.ts';
import { makeImages } from './image/images.ts';
import { MissingProgram, ReleaseError } from './release-error.ts';
import { assembleRelease, type ReleaseFolder, version } from './release-folder.ts';
import { readSource, type Source } from './source-date.ts';

/** What a part of the release is made of, and the folder for its files. */
interface Work extends ReleaseFolder {
  readonly source: Source;
  readonly out: string;
}

/** Each part returns the names of what it has put into `out`. */
const parts: Readonly<Record<string, (work: Work) => string[] | Promise<string[]>>> = {
  tarball: makeTarball,
  image: ({ folder, source, out }) => makeImages(folder, source, out),
  deb: ({ folder, source, out }) => makeDebianPackages({ folder, epochSeconds: source.epochSeconds, out }),
  client: packClient,
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, out: { type: 'string', default: 'dist' } },
});
const root = path.resolve(import.meta.dirname, '../..');

try {
  await makeRelease(path.resolve(root, values.out));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function makeRelease(out: string): Promise<void> {
  const wanted = values.only?.split(',') ?? Object.keys(parts);
  const unknown = wanted.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new ReleaseError(`There is no ${unknown} in a release. Use: ${Object.keys(parts).join(', ')}.`);
  mkdirSync(out, { recursive: true });
  const source = readSource();
  const release = assembleRelease(path.join(out, `gatehouse-${version}`), source);
  const made: string[] = [];
  for (const name of wanted) made.push(...(await makePart(name, { ...release, source, out })));
  rmSync(release.folder, { recursive: true });
  writeChecksums(out, made);
  console.log(`Created in ${path.relative(process.cwd(), out)}: ${made.join(', ')}, SHA256SUMS`);
}

/** On a machine without the programs of Debian, a release of everything leaves out what needs them. */
async function makePart(name: string, work: Work): Promise<string[]> {
  try {
    return await parts[name]!(work);
  } catch (error) {
    if (!(error instanceof MissingProgram) || values.only !== undefined) throw error;
    console.error(`Left out of the release: ${name}. ${error.message}`);
    return [];
  }
}

/** To be unpacked; then `npm ci --omit=dev` installs Node, and `./gatehouse serve` starts it. */
function makeTarball({ folder, bill, source, out }: Work): string[] {
  const name = path.basename(folder);
  const archive = path.join(out, `${name}.tgz`);
  // An archive is never incomplete.
  writeFileSync(`${archive}.draft`, gzip(tar(entriesOf(folder, name), source.epochSeconds)));
  renameSync(`${archive}.draft`, archive);
  // Also beside it, for programs that read only that.
  copyFileSync(path.join(folder, bill), path.join(out, bill));
  return [`${name}.tgz`, bill];
}

function packClient({ out }: Work): string[] {
  execFileSync(process.execPath, [path.join(root, 'client/scripts/pack.ts'), '--out', out], {
    stdio: 'inherit',
  });
  return [`gatehouse-client-${version}.tgz`];
}
