import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { data, owner } from './layers.ts';

export interface ContainerOptions {
  /** A folder that does not exist yet. */
  readonly place: string;
  /** The folder with the data, instead of a volume. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Unpacks an image of a layout: its files in `rootfs`, and how to run it in `config.json`. */
export function unpackImage(layout: string, tag: string, place: string): void {
  execFileSync('umoci', ['unpack', '--image', `${layout}:${tag}`, place], { stdio: 'pipe' });
}

/**
 * A container of an unpacked image as its configuration says, with a read-only root, no capabilities, the network of this
 * machine, and a folder in memory at `/tmp`.
 */
export class Container {
  readonly #place: string;
  readonly #name: string;

  constructor(unpacked: string, options: ContainerOptions) {
    this.#place = options.place;
    this.#name = path.basename(options.place);
    mkdirSync(path.join(this.#place, 'state'), { recursive: true });
    const config = JSON.parse(readFileSync(path.join(unpacked, 'config.json'), 'utf8'));
    const root = { path: path.join(unpacked, 'rootfs'), readonly: true };
    const changed = { ...config, root, process: processOf(config, options), ...limitsOf(config, options) };
    writeFileSync(path.join(this.#place, 'config.json'), JSON.stringify(changed));
  }

  /** The line of a shell that runs the container until it ends, and passes signals to it. */
  get line(): string {
    return crun(this.#place, 'run', '--bundle', this.#place, this.#name);
  }

  /** Runs another command in the running container, as `docker exec`. */
  execute(...command: string[]): string {
    return execFileSync('sh', ['-c', crun(this.#place, 'exec', ...asImage, this.#name, ...command)], {
      encoding: 'utf8',
    });
  }

  /** Also if it has ended. */
  remove(): void {
    execFileSync('sh', ['-c', crun(this.#place, 'delete', '--force', this.#name)], { stdio: 'pipe' });
  }
}

/** crun would use the root user and the root folder. */
const asImage = ['--user', `${owner}:${owner}`, '--cwd', `/${data}`];

interface OciConfig {
  readonly process: { readonly env: string[] };
  readonly mounts: { readonly destination: string; readonly type: string }[];
  readonly linux: { readonly namespaces: { readonly type: string }[] };
}

function processOf({ process }: OciConfig, { environment }: ContainerOptions): object {
  const env = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return {
    ...process,
    terminal: false,
    capabilities: {},
    env: [...process.env, ...env],
  };
}

function limitsOf({ mounts, linux }: OciConfig, { data: source }: ContainerOptions): object {
  const own = [
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
    { destination: `/${data}`, type: 'bind', source, options: ['bind', 'rw'] },
  ];
  const others = mounts.filter(({ destination, type }) => destination !== `/${data}` && type !== 'cgroup');
  const namespaces = linux.namespaces.filter(({ type }) => type !== 'network');
  return { mounts: [...others, ...own], linux: { namespaces } };
}

/** crun demands cgroups of version 2, and works with those of any machine if it sees no others. */
function crun(place: string, ...args: readonly string[]): string {
  const prepare = 'umount --recursive /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup';
  const command = ['crun', '--cgroup-manager=disabled', '--root', path.join(place, 'state'), ...args];
  return `unshare --mount sh -c '${prepare} && exec "$@"' sh ${command.map((word) => `'${word}'`).join(' ')}`;
}
