import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { newId } from '../../../server/src/base/ids.ts';
import { linkEnd } from '../../../server/src/domain/login-links/login-link.ts';
import { generateToken, hashToken } from '../../../server/src/domain/sessions/token.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { checks, domain, type GuardedSite, guard, trusting, unlimited } from '../../guarded-site.ts';
import { runLoad } from '../../load/load.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { startMailServer } from '../../services/mail-server.ts';
import { describe, members, type Row, round } from '../row.ts';

const stormPerSecond = 500;
const maxGateMilliseconds = 5;
const maxLoginMilliseconds = 1_000;

/** The gate while 500 members per second request a login link and 500 others use one. */
export const loginStorm: Row = async (bench) => {
  const site = await guard(bench.copyOf(await bench.dataset(members)));
  const seconds = 4;
  const half = site.emails.length / 2;
  const paths = await waitingLinks(site, half);
  const emails = await startMailServer();
  const server = await startGatehouse(site.dataset, {
    environment: {
      ...trusting,
      ...unlimited,
      GATEHOUSE_SMTP_URL: emails.url,
      GATEHOUSE_MAIL_FROM: `login@${domain}`,
    },
  }).catch(async (error) => {
    // An open mail server would keep this program running.
    await emails.stop();
    throw error;
  });
  try {
    const load = { requests: checks(site), connections: 8 };
    await runLoad(server, load, 2, bench.folder);
    const quiet = await runLoad(server, load, seconds, bench.folder);
    const storm = startStorm(server, site.emails.slice(0, half), paths);
    const options = { waitUntilIdle: false };
    const busy = await runLoad(server, load, seconds, bench.folder, options).finally(storm.end);
    const { requested, loggedIn, failed, slow } = await storm.ended;
    return [
      {
        work: `gate check while ${stormPerSecond} request a login link and ${stormPerSecond} log in per second, 8 connections`,
        reference: describe(quiet),
        gatehouse: `${describe(busy)}; ${requested} requested, ${loggedIn} logged in, p99 of both ${round(slow)} ms, ${emails.received()} emails, ${failed} failed`,
        measured: `p99 ${round(busy.p99Milliseconds)} ms, logins ${round(slow)} ms`,
        goal: `p99 under ${maxGateMilliseconds} ms, logins ${maxLoginMilliseconds} ms`,
        met:
          busy.p99Milliseconds < maxGateMilliseconds &&
          slow < maxLoginMilliseconds &&
          failed === 0 &&
          Math.min(requested, loggedIn) > 0.95 * stormPerSecond * seconds,
      },
    ];
  } finally {
    await server.stop();
    await emails.stop();
  }
};

/** Login links as in emails, for the members of the sample from `first` on. */
async function waitingLinks({ dataset, emails }: GuardedSite, first: number): Promise<string[]> {
  const { databaseUrl, siteId, sample } = dataset;
  const database = openDatabase(databaseUrl, {});
  const at = new Date().toISOString();
  const paths: string[] = [];
  const rows = sample.slice(first).map((memberId, place) => {
    const token = generateToken();
    paths.push(`/_gatehouse/link/${token}`);
    return [
      siteId,
      newId(),
      emails[first + place]!,
      memberId,
      hashToken(token),
      0,
      '/',
      'en',
      'processed',
      at,
      linkEnd(at),
    ];
  });
  const columns =
    'site_id id email member_id token_hash tries next_path language state created_at expires_at'.split(' ');
  await database.transaction((tx) => tx.insert('login_links', columns, rows));
  await database.close();
  return paths;
}

/** Some members request links while others log in. */
function startStorm(server: ServerProcess, visitors: readonly string[], paths: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const counts = { requested: 0, loggedIn: 0, failed: 0 };
  const times: number[] = [];
  const under = new Set<Promise<void>>();
  const start = performance.now();
  let begun = 0;
  const count = (response: Promise<number>, name: 'requested' | 'loggedIn') => {
    const sent = performance.now();
    const done = response
      .then((status) => {
        times.push(performance.now() - sent);
        counts[status === 303 ? name : 'failed'] += 1;
      })
      .finally(() => under.delete(done));
    under.add(done);
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1_000) * stormPerSecond);
    for (; begun < due; begun += 1) {
      count(requestLink(server, agent, visitors[begun % visitors.length]!), 'requested');
      const path = paths[begun];
      if (path !== undefined) count(post(server, agent, path, ''), 'loggedIn');
    }
  }, 2);
  let end = () => {};
  const ended = new Promise<typeof counts & { slow: number }>((resolve) => {
    end = () => {
      clearInterval(timer);
      Promise.all(under).then(() => {
        agent.destroy();
        resolve({ ...counts, slow: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]! });
      });
    };
  });
  return { end, ended };
}

function requestLink(server: ServerProcess, agent: Agent, email: string): Promise<number> {
  return post(server, agent, '/_gatehouse/login', new URLSearchParams({ email, next: '/course' }).toString());
}

async function post(server: ServerProcess, agent: Agent, path: string, body: string): Promise<number> {
  const sent = request(new URL(path, server.address), {
    agent,
    method: 'POST',
    headers: {
      host: domain,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode!;
}
