import { setTimeout as sleep } from 'node:timers/promises';
import { type GatehouseProcess, requestsWith } from './gatehouse-process.ts';

const writers = 16;

export interface WritesWhileKilled {
  readonly key: string;
  /** How many members are created. */
  readonly changes: number;
  readonly kills: number;
  /** One that is killed is replaced. */
  readonly processes: GatehouseProcess[];
  /** Starts another process in the place of one that was killed. */
  readonly restart: (index: number) => Promise<GatehouseProcess>;
}

/** Creates members, each one until it has been confirmed, while the processes are killed one after another. */
export async function writeWhileKilled({
  key,
  changes,
  kills,
  processes,
  restart,
}: WritesWhileKilled): Promise<void> {
  let sent = 0;
  let done = 0;
  const write = async (writer: number) => {
    const request = requestsWith(key, () => processes[writer % processes.length]!.address);
    while (sent < changes) {
      sent += 1;
      const body = { email: `member${sent}@example.com` };
      const headers = { 'idempotency-key': `"${sent}"` };
      for (let status: number | undefined; status !== 201; ) {
        status = (await request('POST', '/members', body, headers))?.status;
        if (status !== 201) await sleep(50);
      }
      done += 1;
    }
  };
  const kill = async () => {
    for (let count = 0; count < kills; count += 1) {
      while (done < ((count + 1) * changes) / (kills + 1)) await sleep(2);
      const index = count % processes.length;
      await processes[index]!.kill();
      processes[index] = await restart(index);
    }
  };
  await Promise.all([kill(), ...Array.from({ length: writers }, (_, writer) => write(writer))]);
}
