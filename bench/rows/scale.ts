import { type Dataset, words } from '../data.ts';
import { alternate, type Figures, type LoadRequest } from '../load.ts';
import { startGatehouse } from '../process.ts';
import { oneByOne } from './reads.ts';
import { describe, type Row, shareOf } from './row.ts';

const few = 10_000;
const many = 1_000_000;

export const lists: Readonly<Record<string, string>> = {
  'list of 50': '',
  'list, paid': '&paid=true',
  'list, blocked': '&status=blocked',
  'list, blocked and unverified': '&status=blocked&verified=false',
  'list, blocked, by email': '&status=blocked&sort=email&order=asc',
  'search, rare word': `&q=${words.rare}`,
  'search, middling word': `&q=${words.middling}`,
  'search, word of the oldest': `&q=${words.oldest}`,
  'search, common word': `&q=${words.common}`,
  'search, no match': '&q=zzzzzz',
  'search, common word, by email': `&q=${words.common}&sort=email&order=asc`,
  'sort by updatedAt': '&sort=updatedAt',
  'sort by registeredAt': '&sort=registeredAt',
  'sort by lastLoginAt': '&sort=lastLoginAt',
  'sort by email': '&sort=email&order=asc',
  'sort by displayName': '&sort=displayName&order=asc',
};

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
      goal: 'at most 1.5x',
      met: times <= 1.5,
    };
  };
  try {
    const lines = [await measure('GET one member', oneByOne(small), oneByOne(large))];
    for (const [name, query] of Object.entries(lists)) {
      const requests: LoadRequest[] = [{ method: 'GET', path: `/members?limit=50${query}` }];
      lines.push(await measure(name, requests, requests));
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
