// Writes images in the two forms that programs for containers read: an image layout of OCI (Image Format Specification
// 1.1) with both architectures, and for each architecture an archive as `docker save` writes it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { file, gzip, tar } from '../archive.ts';
import { sha256 } from '../checksums.ts';
import type { Architecture } from '../locked-node.ts';
import type { Layer } from './layers.ts';

export interface Image {
  readonly architecture: Architecture;
  readonly layers: readonly Layer[];
  /** What runs, and how: `config` of the image's configuration. */
  readonly config: object;
  /** The time of the image, as in ISO 8601. */
  readonly created: string;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};
const tagName = 'org.opencontainers.image.ref.name';

/**
 * Writes a new folder. Its index has the tag for the images of all architectures, and one for each.
 * @param annotations describe the image in a registry
 */
export function writeLayout(
  place: string,
  tag: string,
  images: readonly Image[],
  annotations: Readonly<Record<string, string>>,
): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(path.join(place, 'blobs/sha256'), { recursive: true });
  const write = (mediaType: string, content: Buffer): Descriptor => {
    const hash = sha256(content);
    writeFileSync(path.join(place, 'blobs/sha256', hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: content.length };
  };
  const manifests = images.map((image) => {
    const config = write(mediaTypes.config, configOf(image));
    const layers = image.layers.map(({ compressed }) => write(mediaTypes.layer, compressed));
    const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers, annotations };
    return { ...write(mediaTypes.manifest, json(manifest)), platform: platformOf(image) };
  });
  const ofAll = write(mediaTypes.index, json(indexOf(manifests, annotations)));
  const tagged = [
    { ...ofAll, annotations: { [tagName]: tag } },
    ...manifests.map((each, i) => ({
      ...each,
      annotations: { [tagName]: `${tag}-${images[i]!.architecture}` },
    })),
  ];
  writeFileSync(path.join(place, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(path.join(place, 'index.json'), json(indexOf(tagged)));
}

/** An archive for `docker load`; versions before 25 do not read image layouts. */
export function writeDockerArchive(place: string, name: string, image: Image, epochSeconds: number): void {
  const config = configOf(image);
  const configName = `${sha256(config)}.json`;
  const layers = image.layers.map(({ diffId, compressed }) => file(`${diffId}.tar.gz`, compressed));
  const manifest = [{ Config: configName, RepoTags: [name], Layers: layers.map((each) => each.name) }];
  const entries = [...layers, file(configName, config), file('manifest.json', json(manifest))];
  writeFileSync(place, gzip(tar(entries, epochSeconds)));
}

function configOf({ architecture, layers, config, created }: Image): Buffer {
  return json({
    created,
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => `sha256:${diffId}`) },
    history: layers.map(({ about }) => ({ created, created_by: about })),
  });
}

function platformOf({ architecture }: Image): object {
  return { architecture, os: 'linux', ...(architecture === 'arm64' && { variant: 'v8' }) };
}

function indexOf(manifests: readonly Descriptor[], annotations?: object): object {
  return { schemaVersion: 2, mediaType: mediaTypes.index, manifests, ...(annotations && { annotations }) };
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
