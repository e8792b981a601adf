import { type Dataset, words } from '../data.ts';
import { timeInTurn } from '../in-turn.ts';
import { alternate, type Figures, type LoadRequest, median } from '../load.ts';
import { startGatehouse } from '../process.ts';
import { oneByOne } from './reads.ts';
import { describe, type Line, type Row, round, shareOf } from './row.ts';

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
/** The large site may take so many times as long as the small one, */
export const maxTimes = 1.5;
/** or, in other orders and with words that are not spread evenly, a request alone so long. */
export const maxMilliseconds = 50;

export function pathOf(query: string): string {
  return `/members?${query.includes('limit=') ? '' : 'limit=50'}${query}`.replace('?&', '?');
}

export function roundsOf(quick: boolean): number {
  return quick ? 5 : 15;
}

/** Every kind of read on a site of a million members, compared with one of ten thousand. */
export const scale: Row = async (bench) => {
  const small = await bench.dataset(few);
  const large = await bench.dataset(many);
  const smallServer = await startGatehouse(small);
  const largeServer = await startGatehouse(large);
  const measure = async (name: string, smallRequests: LoadRequest[], largeRequests: LoadRequest[]) => {
    const [reference, figures] = (await alternate(
      [
        { server: smallServer, load: { requests: smallRequests, connections: 8 } },
        { server: largeServer, load: { requests: largeRequests, connections: 8 } },
      ],
      bench.quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 1 },
      bench.folder,
    )) as [Figures, Figures];
    const times = 1 / shareOf(reference, figures);
    return {
      work: `${name}: 1,000,000 members against 10,000`,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: `${times.toFixed(2)}x`,
      goal: `at most ${maxTimes}x`,
      met: times <= maxTimes,
    };
  };
  const measureAlone = async (name: string, path: string) => {
    const targets = [
      { server: smallServer, key: small.key },
      { server: largeServer, key: large.key },
    ];
    const milliseconds = await timeInTurn(targets, path, roundsOf(bench.quick));
    const [ofSmall, ofLarge] = milliseconds.map(median) as [number, number];
    const times = ofLarge / ofSmall;
    return {
      work: `${name}: 1,000,000 members against 10,000, one request at a time`,
      reference: `p50 ${round(ofSmall)} ms`,
      gatehouse: `p50 ${round(ofLarge)} ms, at most ${round(Math.max(...milliseconds[1]!))}`,
      measured: `${times.toFixed(2)}x`,
      goal: `at most ${maxTimes}x or ${maxMilliseconds} ms`,
      met: times <= maxTimes || ofLarge <= maxMilliseconds,
    };
  };
  try {
    const lines: Line[] = [await measure('GET one member', oneByOne(small), oneByOne(large))];
    for (const [name, query] of Object.entries(lists)) {
      const requests: LoadRequest[] = [{ method: 'GET', path: pathOf(query) }];
      const isBounded = boundedLists.includes(name);
      lines.push(
        isBounded ? await measureAlone(name, pathOf(query)) : await measure(name, requests, requests),
      );
    }
    const ofGroup = ({ groupId }: Dataset): LoadRequest[] => [
      { method: 'GET', path: `/access-groups/${groupId}/members?limit=50` },
    ];
    lines.push(await measure('list of the members of a group', ofGroup(small), ofGroup(large)));
    const groups: LoadRequest[] = [{ method: 'GET', path: '/access-groups' }];
    lines.push(await measure('list of groups', groups, groups));
    return lines;
  } finally {
    await smallServer.stop();
    await largeServer.stop();
  }
};
