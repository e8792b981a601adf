import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import { changing } from '../../../../test/change.ts';
import { everyItem } from '../../../../test/contract/given.ts';
import { effort } from '../../../../test/effort.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import type { Change } from '../../events/change.ts';
import { createMember, deleteMember, updateMember } from '../members.ts';

const words = ['amber', 'birch', 'cedar', 'dahlia', 'elm'] as const;
const word = fc.constantFrom(...words);
const member = fc.nat({ max: 7 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), member, word }),
  fc.record({ kind: fc.constant('rename' as const), member, word }),
  fc.record({ kind: fc.constant('delete' as const), member }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps in a savepoint, which is rolled back if `undone`. */
const part = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), undone: fc.boolean() });
const transactions = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

/** A member that exists, by its number. */
type Existing = Map<number, { readonly id: string; readonly word: string }>;

forEachStore((store) => {
  const server = useTestServer(store);
  let site: TestSite;
  let series = 0;
  beforeAll(async () => {
    site = await server.createSite();
  });

  async function take(change: Change, members: Existing, each: Step): Promise<void> {
    const known = members.get(each.member);
    if (each.kind === 'create' && !known) {
      const email = `${series}-${each.member}@example.com`;
      const { id } = await createMember(change, { email, displayName: each.word });
      members.set(each.member, { id, word: each.word });
    } else if (each.kind === 'rename' && known) {
      await updateMember(change, known.id, { displayName: each.word });
      members.set(each.member, { ...known, word: each.word });
    } else if (each.kind === 'delete' && known) {
      await deleteMember(change, known.id);
      members.delete(each.member);
    }
  }

  /** Returns the members as they are after the part. */
  async function takePart(
    change: Change,
    before: Existing,
    { steps, undone }: { steps: Step[]; undone: boolean },
  ): Promise<Existing> {
    const after: Existing = new Map(before);
    const undo = new Error('undone');
    const taken = change.savepoint(async () => {
      for (const each of steps) await take(change, after, each);
      if (undone) throw undo;
    });
    return taken.then(
      () => after,
      (error) => {
        if (error !== undo) throw error;
        return before;
      },
    );
  }

  test('a search finds exactly the members that have the text, whatever one transaction changed', async () => {
    await fc.assert(
      fc.asyncProperty(transactions, async (all) => {
        series += 1;
        let members: Existing = new Map();
        for (const parts of all) {
          members = await changing(server.database, site.siteId, async (change) => {
            let current = members;
            for (const each of parts) current = await takePart(change, current, each);
            return current;
          });
          for (const text of words) {
            const found = await everyItem(site, `/members?q=${text}&sort=email`);
            const expected = [...members.values()].filter((each) => each.word === text).map(({ id }) => id);
            const ids = found
              .filter((each) => (each as { email: string }).email.startsWith(`${series}-`))
              .map(({ id }) => id as string);
            if (ids.toSorted().join() !== expected.toSorted().join())
              throw new Error(`${text}: found ${ids}, expected ${expected}`);
          }
        }
      }),
      { numRuns: effort.changeSeries * 4 },
    );
  });
});
