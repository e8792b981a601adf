import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { permissions } from '@gatehouse/contract/permissions';
import { newId } from '../../../server/src/base/ids.ts';
import { createApiKey } from '../../../server/src/domain/api-keys/api-keys.ts';
import { createSite } from '../../../server/src/domain/sites/sites.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { apiPath } from '../../load/load.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Bench, type Line, members, type Row, round } from '../row.ts';

const sites = 10;
const streamsOfSite = 100;
const changes = 40;
const memoryGoal = 60;
const millisecondsGoal = 300;

/** A thousand open streams: their memory, and how long after its response a change has reached all streams of its site. */
export const streams: Row = async (bench) => [
  await lineOf(bench, 'SQLite', bench.copyOf(await bench.dataset(members)).databaseUrl),
  await lineOf(bench, 'PostgreSQL', (await bench.postgresDataset(members)).databaseUrl),
];

async function lineOf(bench: Bench, store: string, databaseUrl: string): Promise<Line> {
  const keys = await keysOfSites(databaseUrl);
  const server = await startGatehouse({ databaseUrl, key: keys[0]! });
  try {
    await create(server, keys[0]!, 'warm-up@example.com');
    await sleep(2_000);
    const before = server.residentMebibytes();
    const readers: Reader[][] = [];
    for (const key of keys) {
      readers.push(
        await Promise.all(Array.from({ length: streamsOfSite }, () => Reader.open(server.address, key))),
      );
    }
    const milliseconds: number[] = [];
    for (let change = 0; change < (bench.quick ? 5 : changes); change += 1) {
      const site = change % sites;
      const { id, at } = await create(server, keys[site]!, `streamed${change}@example.com`);
      const reached = await Promise.all(readers[site]!.map((reader) => reader.sees(id)));
      milliseconds.push(Math.max(...reached) - at);
    }
    const used = server.residentMebibytes() - before;
    for (const reader of readers.flat()) reader.close();
    const slowest = Math.max(...milliseconds);
    return {
      work: `${store}: ${sites * streamsOfSite} open streams of events`,
      reference: `${round(before)} MiB without streams`,
      gatehouse: `${round(used)} MiB more; a change has reached ${streamsOfSite} streams ${round(slowest)} ms after its response`,
      measured: `${round(used)} MiB, ${round(slowest)} ms`,
      goal: `under ${memoryGoal} MiB, ${millisecondsGoal} ms`,
      met: used < memoryGoal && slowest < millisecondsGoal,
    };
  } finally {
    await server.stop();
  }
}

async function keysOfSites(databaseUrl: string): Promise<string[]> {
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const keys: string[] = [];
    for (let number = 0; number < sites; number += 1) {
      const key = await changing(database, newId(), async (change) => {
        await createSite(change, { slug: `streamed-${number}` });
        return createApiKey(change, { name: 'Bench', permissions });
      });
      keys.push(key.secret);
    }
    return keys;
  } finally {
    await database.close();
  }
}

/** Returns the ID of the member, and when the response has arrived. */
async function create({ address }: ServerProcess, key: string, email: string) {
  const response = await fetch(`${address}${apiPath}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return { id: data.id, at: performance.now() };
}

/** A stream that is only searched for ids. */
class Reader {
  readonly #close: () => void;
  #text = '';
  #wanted: { id: string; found: (at: number) => void } | undefined;

  static async open(address: string, key: string): Promise<Reader> {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port) });
    const reader = new Reader(() => socket.destroy());
    socket.setEncoding('latin1').on('data', (text: string) => reader.#read(text));
    socket.write(
      `GET ${apiPath}/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await once(socket, 'data');
    return reader;
  }

  private constructor(close: () => void) {
    this.#close = close;
  }

  /** Resolves with the time at which an id arrives, or now if it is already there. */
  sees(id: string): Promise<number> {
    return new Promise((found) => {
      this.#wanted = { id, found };
      this.#read('');
    });
  }

  close(): void {
    this.#close();
  }

  #read(text: string): void {
    this.#text = (this.#text + text).slice(-4_096);
    if (!this.#wanted || !this.#text.includes(this.#wanted.id)) return;
    this.#wanted.found(performance.now());
    this.#wanted = undefined;
  }
}
