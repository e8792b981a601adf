import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { ServerProcess } from '../process.ts';
import type { LoadRequest } from './load.ts';

/** Of a busy site; more would take the processor from the work that is measured, which has a lower priority. */
export const checksPerSecond = 200;

/** Sends gate checks at a steady rate. `end` returns the 99th percentile of their times, in milliseconds. */
export function startChecks(server: ServerProcess, requests: readonly LoadRequest[]) {
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  const agent = new Agent({ keepAlive: true });
  const send = async ({ path, headers }: LoadRequest) => {
    const start = performance.now();
    const [response] = await once(get(server.address + path, { agent, headers: { ...headers } }), 'response');
    await once(response.resume(), 'end');
    if (response.statusCode >= 500) throw new Error(`The gate answered ${response.statusCode}.`);
    times.push(performance.now() - start);
  };
  let next = 0;
  const timer = setInterval(() => {
    const sent = send(requests[next++ % requests.length]!).finally(() => open.delete(sent));
    open.add(sent);
  }, 1_000 / checksPerSecond);
  return {
    end: async (): Promise<number> => {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
    },
  };
}
