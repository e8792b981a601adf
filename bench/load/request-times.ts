import type { ServerProcess } from '../process.ts';
import { apiPath } from './load.ts';
import { LoadConnection } from './load-connection.ts';

/** A service, and the key of one of its sites. */
export interface Target {
  readonly server: ServerProcess;
  readonly key: string;
}

/** Sends a request to one target after the other, for so many rounds. Returns the milliseconds of each, by target. */
export async function timeSequentially(
  targets: readonly Target[],
  path: string,
  rounds: number,
): Promise<number[][]> {
  const milliseconds: number[][] = targets.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, target] of targets.entries()) milliseconds[index]!.push(await timeOf(target, path));
  }
  return milliseconds;
}

/** The milliseconds of one request on a connection of its own, which is already open. */
async function timeOf({ server, key }: Target, path: string): Promise<number> {
  const connection = await LoadConnection.open(server.address);
  try {
    const request = `GET ${apiPath}${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const start = performance.now();
    const status = await connection.send(request);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
    return performance.now() - start;
  } finally {
    connection.close();
  }
}
