import type { Source } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { effort } from '../../../test/effort.ts';
import { type ListServer, startListServer } from '../../../test/list-server.ts';
import { seed } from '../../../test/seed.ts';
import { scopeGroups, synchronize } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const columns = { email: 'Email', displayName: 'First', lastName: 'Last', paid: 'Paid', groups: 'Teams' };
const headings = 'Email,First,Last,Paid,Teams';

/** The cells of a row: address, first and last name, paid, groups. */
type Cells = readonly [string, string, string, string, string];

const rows = fc
  .uniqueArray(
    fc.record({
      number: fc.nat(7),
      name: fc.constantFrom('Ada', 'Bob', ''),
      paid: fc.constantFrom('yes', 'no'),
      teams: fc.subarray(['Rowing', 'Sailing', 'Board']),
    }),
    { selector: ({ number }) => number, minLength: 1, maxLength: 8 },
  )
  .map((each) =>
    each.map(
      ({ number, name, paid, teams }): Cells => [
        `p${number}@example.com`,
        name,
        'King',
        paid,
        teams.join(';'),
      ],
    ),
  );
const unknownText = fc.option(fc.constantFrom('#REF!', '#N/A', 'Loading...'), { freq: 4, nil: undefined });
/** What replaces the cells of each row. */
const unknownTexts = fc.array(fc.tuple(unknownText, unknownText, unknownText, unknownText, unknownText), {
  minLength: 8,
  maxLength: 8,
});

const textOf = (list: readonly Cells[]) =>
  [headings, ...list.map((cells) => cells.join(','))].map((line) => `${line}\n`).join('');

async function aSource(site: TestSite, { address }: ListServer): Promise<Source> {
  const body = {
    type: 'list',
    name: 'Club',
    address,
    graceDays: 0,
    onLeave: 'block',
    maxRemovedPercent: 100,
  };
  const { id } = expectResponse('createSource', await site.post('/sources', body), 201).data;
  const collections = [{ key: 'list', columns }];
  return expectResponse('updateSource', await site.patch(`/sources/${id}`, { collections }), 200).data;
}

/** What the list decides: the members as they are, by address, and who is in which group. */
async function stateOf(site: TestSite) {
  const members: { email: string; displayName: string; paid: boolean; status: string }[] = (
    await site.get('/members?limit=100')
  ).body.data;
  const byEmail = members.map(({ email, displayName, paid, status }) => [
    email,
    { displayName, paid, status },
  ]);
  return { groups: await scopeGroups(site), members: Object.fromEntries(byEmail.sort()) };
}

forEachStore((store) => {
  const server = useTestServer(store);

  async function aList(): Promise<ListServer> {
    const list = await startListServer('');
    onTestFinished(() => list.stop());
    return list;
  }

  const unknownForAWhile =
    'cells that are unknown for a while change nothing, and afterwards the list is as without them';
  test(unknownForAWhile, { timeout: 600_000 }, async () => {
    const list = await aList();
    const property = fc.asyncProperty(rows, rows, unknownTexts, async (first, next, unknown) => {
      const masked = next.map((cells, row): Cells => {
        const at = (column: 0 | 1 | 2 | 3 | 4) => unknown[row]![column] ?? cells[column];
        return [at(0), at(1), at(2), at(3), at(4)];
      });
      const [interrupted, undisturbed] = [await server.createSite(), await server.createSite()];
      const source = await aSource(interrupted, list);
      list.body = textOf(first);
      await synchronize(interrupted, source);
      const before = await stateOf(interrupted);

      list.body = textOf(masked);
      await synchronize(interrupted, source);
      const after = await stateOf(interrupted);
      expectNothingTaken(before, after, masked, next);
      list.body = textOf(next);
      await synchronize(interrupted, source);

      const other = await aSource(undisturbed, list);
      list.body = textOf(first);
      await synchronize(undisturbed, other);
      list.body = textOf(next);
      await synchronize(undisturbed, other);
      expect(await stateOf(interrupted)).toEqual(await stateOf(undisturbed));
    });
    await fc.assert(property, { seed, numRuns: effort.sourceHistories });
  });

  type State = Awaited<ReturnType<typeof stateOf>>;

  function expectNothingTaken(before: State, after: State, masked: readonly Cells[], next: readonly Cells[]) {
    const isMasked = (row: number) => masked[row]!.some((cell, column) => cell !== next[row]![column]);
    const anyAddress = masked.some(([email], row) => email !== next[row]![0]);
    for (const name of Object.keys(after.groups)) expect(['Rowing', 'Sailing', 'Board']).toContain(name);
    for (const [row, [email]] of next.entries()) {
      if (isMasked(row)) expect([email, after.members[email]]).toEqual([email, before.members[email]]);
    }
    const maskedNames = next.flatMap(([email], row) => (isMasked(row) ? email.split('@')[0]! : []));
    for (const [group, people] of Object.entries(before.groups)) {
      const staying = people.filter((name) => anyAddress || maskedNames.includes(name));
      expect(after.groups[group] ?? []).toEqual(expect.arrayContaining(staying));
    }
    if (!anyAddress) return;
    for (const [email, { paid, status }] of Object.entries<State['members'][string]>(before.members)) {
      expect(after.members[email]).toMatchObject({ status, ...(paid && { paid }) });
    }
  }

  test('a list with unknown cells is read again, although its server says that it is the same version', async () => {
    const site = await server.createSite();
    const list = await aList();
    const source = await aSource(site, list);
    list.headers = { etag: '"1"' };
    list.body = textOf([
      ['ada@example.com', 'Ada', 'King', 'yes', 'Rowing'],
      ['bob@example.com', 'Bob', 'Lee', 'yes', '#REF!'],
    ]);
    expect((await synchronize(site, source)).counts).toMatchObject({ created: 1, skipped: 1 });
    expect((await synchronize(site, source)).counts).toMatchObject({ created: 0, skipped: 1 });
    list.body = list.body.replace('#REF!', 'Rowing');
    expect((await synchronize(site, source)).counts).toMatchObject({ created: 1, skipped: 0 });
    list.body = list.body.replace('ada@example.com', '#REF!');
    list.headers = { etag: '"2"' };
    const unreadable = await synchronize(site, source);
    expect(unreadable).toMatchObject({
      status: 'confirmation_required',
      counts: { unreadable: 1, withheld: 1 },
    });
    expect(await synchronize(site, source)).toMatchObject({ counts: { unreadable: 1, withheld: 1 } });
    expect(await scopeGroups(site)).toEqual({ Rowing: ['ada', 'bob'] });
    await synchronize(site, source, { confirmRemovals: true, confirmedRunId: unreadable.id });
    expect(await scopeGroups(site)).toEqual({ Rowing: ['bob'] });
  });
});
