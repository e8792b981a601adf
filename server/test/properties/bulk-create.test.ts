import { normalizeEmail } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../contract/test/any-character.ts';
import { expectResponse } from '../contract/answers.ts';
import { forEachStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';

const address = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom('ada@example.com', ' ADA@example.com ', 'eve@bücher.example', 'eve@xn--bcher-kva.example'),
  fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
);
const item = fc.record(
  {
    email: address,
    displayName: fc.option(fc.string({ unit: 'grapheme', maxLength: 250 })),
    paid: fc.boolean(),
  },
  { requiredKeys: ['email'] },
);

forEachStore((store) => {
  const server = useTestServer(store);

  test('for any input the results are in its order and the summary is correct', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (members) => {
        const site = await server.createSite();
        const body = expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members }), 207);
        const { data, summary } = body;
        expect(data.map(({ email }: { email: string }) => email)).toEqual(members.map(({ email }) => email));
        const created = data.filter(({ status }: { status: string }) => status === 'created');
        expect(summary).toEqual({
          total: members.length,
          created: created.length,
          failed: members.length - created.length,
        });

        const listed = (await site.get('/members?limit=100')).body.data;
        expect(listed).toHaveLength(created.length);
        const addresses = created.map(({ member }: { member: { email: string } }) => member.email);
        expect(new Set(addresses).size).toBe(addresses.length);
      }),
      { numRuns: 40 },
    );
  });
});

test('normalizing an address twice changes nothing, and the result is valid by the HTML standard', () => {
  const form =
    /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
  fc.assert(
    fc.property(
      fc.oneof(
        address,
        fc.tuple(fc.string(), fc.domain()).map((parts) => parts.join('@')),
      ),
      (text) => {
        const email = normalizeEmail(text);
        if (email === null) return;
        expect(email).toMatch(form);
        expect(email.length).toBeLessThanOrEqual(254);
        expect(normalizeEmail(email)).toBe(email);
        expect(normalizeEmail(` ${email.toUpperCase()} `)).toBe(email);
      },
    ),
    { numRuns: 2_000 },
  );
});
