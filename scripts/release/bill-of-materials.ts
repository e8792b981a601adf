// The software bill of materials of the release, in the form of CycloneDX 1.6 (ECMA-424): every package of others that
// the release contains or installs. It follows from the lock file and the lists of licenses of the builds alone, so that
// the same sources have the same one: it has no serial number and no time.

/** A package as in `package-lock.json`. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface Contents {
  readonly version: string;
  /** The packages of the lock file of the clone, by their place. */
  readonly locked: LockedPackages;
  /** The lists of licenses that the builds have written: what is built in. */
  readonly licenses: readonly string[];
  /** The names of packages that are copied, or installed with the release. */
  readonly further: readonly string[];
}

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly object[];
  readonly purl: string;
  readonly hashes: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  /** Only of packages that are locked with their addresses. */
  readonly externalReferences?: readonly { readonly type: 'distribution'; readonly url: string }[];
}

export interface BillOfMaterials {
  readonly $schema: string;
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: object;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** @throws if a package that is built in is not locked */
export function billOfMaterials({ version, locked, licenses, further }: Contents): BillOfMaterials {
  const places = [
    ...licenses.flatMap((list) =>
      [...list.matchAll(heading)].map(([, name, of]) => placeOf(locked, name!, of)),
    ),
    ...further.map((name) => placeOf(locked, name)),
  ];
  // A package that two others need in the same version may be installed twice.
  const byRef = new Map(places.map((place) => [refOf(place, locked), place]));
  const refs = [...byRef.keys()].sort();
  const application = `pkg:generic/gatehouse@${version}`;
  const needed = new Map(refs.map((ref) => [ref, dependenciesOf(byRef.get(ref)!, locked, byRef)]));
  const neededByOthers = new Set([...needed.values()].flat());
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': application,
        name: 'gatehouse',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: application,
      },
    },
    components: refs.map((ref) => componentOf(ref, byRef.get(ref)!, locked)),
    dependencies: [
      { ref: application, dependsOn: refs.filter((ref) => !neededByOthers.has(ref)) },
      ...[...needed].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  };
}

/** `## react - 19.3.1 (MIT)`; texts of licenses have headings too. */
const heading = /^## (\S+) - (\d\S*)(?: \(|$)/gm;
const folder = 'node_modules/';

function placeOf(locked: LockedPackages, name: string, version?: string): string {
  const found = Object.keys(locked).find(
    (place) => nameAt(place) === name && [undefined, locked[place]!.version].includes(version),
  );
  if (found === undefined)
    throw new Error(`${name} ${version ?? ''} is built in, and not in package-lock.json.`);
  return found;
}

function nameAt(place: string): string | undefined {
  return place.includes(folder) ? place.slice(place.lastIndexOf(folder) + folder.length) : undefined;
}

/** The package URL (purl). */
function refOf(place: string, locked: LockedPackages): string {
  return `pkg:npm/${nameAt(place)!.replace('@', '%40')}@${locked[place]!.version}`;
}

function componentOf(ref: string, place: string, locked: LockedPackages): Component {
  const { version, integrity, license, resolved } = locked[place]!;
  const [group, name] = nameAt(place)!.startsWith('@')
    ? nameAt(place)!.split('/')
    : [undefined, nameAt(place)];
  const hash = /^sha512-(\S+)$/.exec(integrity ?? '')?.[1];
  if (version === undefined || hash === undefined)
    throw new Error(`${place} has no version or hash in package-lock.json.`);
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group !== undefined && { group }),
    name: name!,
    version,
    licenses: license === undefined ? [] : [licenseOf(license)],
    purl: ref,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(resolved !== undefined && { externalReferences: [{ type: 'distribution', url: resolved }] }),
  };
}

/** An identifier or an expression of SPDX; any other text is a name. */
function licenseOf(license: string): object {
  if (/^[\w.+-]+$/.test(license)) return { license: { id: license } };
  return / (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { name: license } };
}

/** What a package needs, as far as the release contains it, by the nearest folder that has it, as Node resolves it. */
function dependenciesOf(place: string, locked: LockedPackages, byRef: ReadonlyMap<string, string>): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = locked[place]!;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const found = names.flatMap((name) => nearest(place, name, locked) ?? []);
  return [...new Set(found.map((each) => refOf(each, locked)))].filter((ref) => byRef.has(ref)).sort();
}

function nearest(place: string, name: string, locked: LockedPackages): string | undefined {
  for (let parent = place; ; parent = parent.slice(0, Math.max(parent.lastIndexOf(`/${folder}`), 0))) {
    const candidate = parent === '' ? folder + name : `${parent}/${folder}${name}`;
    if (locked[candidate] !== undefined) return candidate;
    if (parent === '') return undefined;
  }
}
