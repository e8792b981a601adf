/** A profile of one thread, as `--cpu-prof` writes it. Times are in microseconds of the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** By part of the program: its share of the time in which a thread was not idle, within a span. */
export function shareByPart(
  profiles: readonly CpuProfile[],
  span: { readonly begin: number; readonly end: number },
): Map<string, number> {
  const times = new Map<string, number>();
  for (const profile of profiles) {
    const parts = new Map(profile.nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
    let now = profile.startTime;
    for (const [index, sample] of profile.samples.entries()) {
      // The time until the next sample belongs to this one.
      now += profile.timeDeltas[index]!;
      const part = parts.get(sample);
      if (part === undefined || now < span.begin || now > span.end) continue;
      times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
    }
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([part, time]) => [part, time / total]));
}

const unnamed: Readonly<Record<string, string | undefined>> = {
  '(idle)': undefined,
  '(root)': undefined,
  '(program)': 'native code',
  '(garbage collector)': 'garbage collection',
};

/** Node's own modules, by the beginning of their name. */
const nodeParts: readonly (readonly [string, string])[] = [
  ['node:_http', 'Node: HTTP'],
  ['node:internal/http', 'Node: HTTP'],
  ['node:net', 'Node: sockets and streams'],
  ['node:internal/stream', 'Node: sockets and streams'],
  ['node:internal/crypto', 'Node: hashes and ciphers'],
  ['node:internal/worker', 'Node: messages between threads'],
  ['node:', 'Node: other'],
];

/** Functions of V8 and Node without a file. */
const nativeParts: Readonly<Record<string, string>> = {
  postMessage: 'Node: messages between threads',
  writeUtf8String: 'Node: sockets and streams',
  writeLatin1String: 'Node: sockets and streams',
  writeBuffer: 'Node: sockets and streams',
  writev: 'Node: sockets and streams',
};

/** Undefined for a thread that does nothing. */
function partOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
  if (functionName in unnamed && url === '') return unnamed[functionName];
  if (url === '') return nativeParts[functionName] ?? 'V8';
  const node = nodeParts.find(([beginning]) => url.startsWith(beginning));
  if (node) return node[1];
  const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (library !== undefined) return `library: ${library}`;
  if (url.includes('/storage/sqlite/sqlite-connection')) return 'SQLite';
  const [, layer] = /\/server\/src\/(\w+)\//.exec(url) ?? [];
  return layer === undefined ? 'the floor and the contract' : `Gatehouse: ${layer}`;
}
