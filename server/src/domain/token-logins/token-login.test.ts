import { expect, test } from 'vitest';
import { aDomain, aMember } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  async function aToken(site: TestSite, memberId: string, pathPrefix = '/'): Promise<string> {
    const created = await site.post(`/members/${memberId}/access-tokens`, { name: 'Test', pathPrefix });
    return created.body.data.secret;
  }

  async function logIn(site: TestSite, token: string) {
    await aDomain(site);
    const visitor = new Visitor(site);
    return { visitor, status: (await visitor.post('/_gatehouse/token', { token })).status };
  }

  test('an access token logs its member in once', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const token = await aToken(site, id);
    const { visitor, status } = await logIn(site, token);
    expect([status, visitor.session]).toEqual([303, expect.any(String)]);
    const [event] = (await site.get(`/events?type=member.login&memberId=${id}`)).body.data;
    expect(event.data.method).toBe('access_token');
    expect((await logIn(site, token)).status).toBe(410);
  });

  test('no one is logged in by a token of a blocked member, one for a part of the site, and another text', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const ofPart = await aToken(site, id, '/podcast');
    const ofBlocked = await aToken(site, (await aMember(site)).id);
    const { id: blockedId } = await aMember(site);
    const ended = await aToken(site, blockedId);
    await site.patch(`/members/${blockedId}`, { status: 'blocked' });
    for (const token of [ofPart, ended, `${ofBlocked}x`, '']) {
      const { visitor, status } = await logIn(site, token);
      expect([status, visitor.session]).toEqual([410, undefined]);
    }
  });
});
