import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Line, members, type Row, round } from '../row.ts';

const connections = 10;
const requestsEach = 3_000;
const maxDelayMilliseconds = 500;

/** How long other clients wait while a few connections send thousands of requests and read no responses. */
export const pipelines: Row = async (bench) => {
  const server = await startGatehouse(bench.copyOf(await bench.dataset(members)), {
    environment: { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const auth = `Authorization: Bearer ${server.key}\r\n`;
  const kinds = [
    ['lists of 100, with a key', `GET /api/v1/members?limit=100 HTTP/1.1\r\nHost: x\r\n${auth}\r\n`],
    ['without a key', 'GET /api/v1/members HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['at the gate', 'GET /_gatehouse/auth HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const;
  const lines: Line[] = [];
  try {
    for (const [kind, request] of kinds) {
      const quiet = await worstDelay(server, async () => sleep(1_000));
      const busy = await worstDelay(server, async () => {
        for (let wave = 0; wave < (bench.quick ? 2 : 10); wave += 1) await flood(server, request);
      });
      lines.push({
        work: `another client's request while ${connections} connections each send ${requestsEach.toLocaleString('en')} and read nothing, ${kind}`,
        reference: `quiet: at most ${round(quiet)} ms`,
        gatehouse: `at most ${round(busy)} ms`,
        measured: `${round(busy)} ms`,
        goal: `under ${maxDelayMilliseconds} ms`,
        met: busy < maxDelayMilliseconds,
      });
    }
  } finally {
    await server.stop();
  }
  return lines;
};

async function flood({ address }: ServerProcess, request: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const text = request.repeat(requestsEach);
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname).pause();
    // The server may close the connection at any time.
    socket.on('error', () => {}).write(text);
    return socket;
  });
  await sleep(1_000);
  for (const socket of sockets) socket.destroy();
}

/** The longest duration of a health check while `work` runs. */
async function worstDelay({ address }: ServerProcess, work: () => Promise<void>): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  let worst = 0;
  let working = true;
  const done = work().finally(() => {
    working = false;
  });
  while (working) {
    const start = performance.now();
    const [response] = await once(get(`${address}/healthz`, { agent }), 'response');
    await once(response.resume(), 'end');
    worst = Math.max(worst, performance.now() - start);
    await sleep(2);
  }
  agent.destroy();
  await done;
  return worst;
}
