import { cookiePrefixes, ownCookieNames } from '../../src/http/shared/credentials/cookie-names.ts';
import { randomNumbers } from '../seed.ts';

/** The names of Gatehouse's cookies, with each prefix, as browsers may send them. */
export const namesOfOwnCookies = ownCookieNames.flatMap((name) =>
  ['', ...cookiePrefixes].map((prefix) => prefix + name),
);

/** Requests with Gatehouse's cookies among those of a program. */
export interface CookieTrick {
  readonly note: string;
  /** The `Cookie` lines of the request. */
  readonly lines: readonly string[];
  /** The cookies of the program that it must receive; undefined where it may receive fewer. */
  readonly remaining?: readonly string[];
}

const decoyCounts = [3, 4, 7];
const ofProgram = ['first=1', 'theme="dark"', 'x_gatehouse_session=2', 'gatehouse_sessions=3', 'last='];

/** What no browser sends, but programs may read in the same way. */
const writings: Readonly<Record<string, (name: string) => string>> = {
  plain: (name) => `${name}=value-of-gatehouse`,
  quoted: (name) => `${name}="value-of-gatehouse"`,
  empty: (name) => `${name}=`,
  'with spaces': (name) => ` \t${name} =\tvalue-of-gatehouse `,
  'without a name': (name) => `=${name}=value-of-gatehouse`,
  'in quotes of others': (name) => `open="; ${name}=value-of-gatehouse; shut="`,
};

/** Each of Gatehouse's cookies alone, all together, and with decoys of the same names in random orders. */
export function cookieTricks(): CookieTrick[] {
  const random = randomNumbers();
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  const alone = namesOfOwnCookies.flatMap((name) =>
    Object.entries(writings).map(([writing, write]): CookieTrick => {
      const own = write(name);
      const remaining = writing === 'in quotes of others' ? undefined : ofProgram;
      return trick(
        `${name} ${writing}`,
        [[...ofProgram.slice(0, 2), own, ...ofProgram.slice(2)].join('; ')],
        remaining,
      );
    }),
  );
  const together = ['; ', ';', ' ; ', ';\t'].map((separator) => {
    const own = ownCookieNames.map((name) => writings.plain!(name));
    return trick(
      `all with ${JSON.stringify(separator)}`,
      [[...own, 'first=1', ...own].join(separator)],
      ['first=1'],
    );
  });
  const decoys = decoyCounts.flatMap((count) =>
    Array.from({ length: 12 }, (_, index): CookieTrick[] => {
      const own = shuffled(namesOfOwnCookies)
        .slice(0, count + 1)
        .map((name) => writings.plain!(name));
      const mixed = shuffled([...own, ...ofProgram]);
      const inOrder = mixed.filter((cookie) => ofProgram.includes(cookie));
      const half = Math.ceil(mixed.length / 2);
      return [
        trick(`${count} decoys ${index}`, [mixed.join('; ')], inOrder),
        trick(`${count} decoys ${index} on two lines`, [
          mixed.slice(0, half).join('; '),
          mixed.slice(half).join('; '),
        ]),
      ];
    }).flat(),
  );
  const many = Array.from(
    { length: 40 },
    (_, index) => `${namesOfOwnCookies[index % 21]}=value-of-gatehouse; a${index}=1`,
  );
  return [...alone, ...together, ...decoys, trick('more decoys than a proxy can remove', [many.join('; ')])];
}

function trick(note: string, lines: readonly string[], remaining?: readonly string[]): CookieTrick {
  return remaining === undefined ? { note, lines } : { note, lines, remaining };
}

const ownCookie = new RegExp(`(?:^|[;,])\\s*=?\\s*(?:${namesOfOwnCookies.join('|')})\\s*(?:[=;]|$)`);

/** What is wrong with the cookies that a program received; empty if nothing is. */
export function faultsOfCookies({ remaining }: CookieTrick, received: readonly string[]): string[] {
  const cookies = received.join('; ');
  const faults: string[] = [];
  if (ownCookie.test(cookies) || cookies.includes('value-of-gatehouse')) faults.push(`received ${cookies}`);
  const left = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '');
  if (remaining && left.join('; ') !== remaining.join('; '))
    faults.push(`received ${cookies} instead of ${remaining.join('; ')}`);
  return faults;
}
