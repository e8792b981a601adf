import { type Dataset, words } from '../../data.ts';
import { alternate, type Figures, type LoadRequest, median } from '../../load/load.ts';
import { type Target, timeSequentially } from '../../load/request-times.ts';
import { startGatehouse } from '../../process.ts';
import { oneByOne } from '../members/reads.ts';
import { type Bench, describe, type Line, type Row, round, shareOf } from '../row.ts';

const few = 10_000;
const many = 1_000_000;

export const lists: Readonly<Record<string, string>> = {
  'list of 50': '',
  'list, paid': '&paid=true',
  'list, blocked': '&status=blocked',
  'list, blocked and unverified': '&status=blocked&verified=false',
  'list, blocked, by email': '&status=blocked&sort=email&order=asc',
  'search, rare word': `&q=${words.rare}`,
  // The small site has 20 and 15 of them: pages that both sites can fill.
  'search, middling word': `&q=${words.middling}&limit=10`,
  'search, word of the oldest': `&q=${words.oldest}&limit=10`,
  'search, common word': `&q=${words.common}`,
  'search, no match': '&q=zzzzzz',
  'search, common word, by email': `&q=${words.common}&sort=email&order=asc`,
  'sort by updatedAt': '&sort=updatedAt',
  'sort by registeredAt': '&sort=registeredAt',
  'sort by lastLoginAt': '&sort=lastLoginAt',
  'sort by email': '&sort=email&order=asc',
  'sort by displayName': '&sort=displayName&order=asc',
};

/** A search in another order than that of creation is bounded: it may grow with the site, up to a limit. */
const boundedLists = ['list, blocked, by email', 'search, common word, by email'];
/** In the order of creation: at most so many times the time of the small site. */
export const maxTimes = 1.5;
/** In other orders, and with words that are not spread evenly. */
export const maxMilliseconds = 50;

/** The path of a list, with 50 members on a page unless its query says otherwise. */
export function pathOf(query: string): string {
  const given = Object.fromEntries(new URLSearchParams(query));
  return `/members?${new URLSearchParams({ limit: '50', ...given })}`;
}

export function roundsOf(quick: boolean): number {
  return quick ? 5 : 15;
}

interface Sites {
  readonly small: Target;
  readonly large: Target;
}

/** Every kind of read on a site of a million members, compared with one of ten thousand. */
export const scale: Row = async (bench) => {
  const small = await bench.dataset(few);
  const large = await bench.dataset(many);
  const sites: Sites = {
    small: { server: await startGatehouse(small), key: small.key },
    large: { server: await startGatehouse(large), key: large.key },
  };
  try {
    const lines = [await compareUnderLoad(bench, sites, 'GET one member', oneByOne(small), oneByOne(large))];
    for (const [name, query] of Object.entries(lists)) {
      const compare = boundedLists.includes(name) ? compareAlone : comparePath;
      lines.push(await compare(bench, sites, name, pathOf(query)));
    }
    const ofGroup = ({ groupId }: Dataset): LoadRequest[] => [
      { method: 'GET', path: `/access-groups/${groupId}/members?limit=50` },
    ];
    const work = 'list of the members of a group';
    lines.push(await compareUnderLoad(bench, sites, work, ofGroup(small), ofGroup(large)));
    lines.push(await comparePath(bench, sites, 'list of groups', '/access-groups'));
    return lines;
  } finally {
    await sites.small.server.stop();
    await sites.large.server.stop();
  }
};

function comparePath(bench: Bench, sites: Sites, work: string, path: string): Promise<Line> {
  const requests: LoadRequest[] = [{ method: 'GET', path }];
  return compareUnderLoad(bench, sites, work, requests, requests);
}

/** Compares the CPU time of a request while eight are on the way. */
async function compareUnderLoad(
  bench: Bench,
  { small, large }: Sites,
  work: string,
  smallRequests: LoadRequest[],
  largeRequests: LoadRequest[],
): Promise<Line> {
  const [reference, figures] = (await alternate(
    [
      { server: small.server, load: { requests: smallRequests, connections: 8 } },
      { server: large.server, load: { requests: largeRequests, connections: 8 } },
    ],
    bench.quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 1 },
    bench.folder,
  )) as [Figures, Figures];
  const times = 1 / shareOf(reference, figures);
  return {
    work: `${work}: 1,000,000 members against 10,000`,
    reference: describe(reference),
    gatehouse: describe(figures),
    measured: `${times.toFixed(2)}x`,
    goal: `at most ${maxTimes}x`,
    met: times <= maxTimes,
  };
}

/** Compares the duration of a request that is the only one. */
async function compareAlone(
  bench: Bench,
  { small, large }: Sites,
  work: string,
  path: string,
): Promise<Line> {
  const milliseconds = await timeSequentially([small, large], path, roundsOf(bench.quick));
  const [ofSmall, ofLarge] = milliseconds.map(median) as [number, number];
  const times = ofLarge / ofSmall;
  return {
    work: `${work}: 1,000,000 members against 10,000, one request at a time`,
    reference: `p50 ${round(ofSmall)} ms`,
    gatehouse: `p50 ${round(ofLarge)} ms, at most ${round(Math.max(...milliseconds[1]!))}`,
    measured: `${times.toFixed(2)}x`,
    goal: `at most ${maxTimes}x or ${maxMilliseconds} ms`,
    met: times <= maxTimes || ofLarge <= maxMilliseconds,
  };
}
