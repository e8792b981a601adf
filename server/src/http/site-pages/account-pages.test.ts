import { expect, test } from 'vitest';
import { aDomain, aGroup, aMember } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

forEachStore((store) => {
  const server = useTestServer(store, {});

  async function loggedIn() {
    const site = await server.createSite();
    await aDomain(site);
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    await visitor.post((await emailTo(server, member.email)).path);
    return { site, member, visitor };
  }

  test('the account page names the groups of the member with their ends, and no other group', async () => {
    const { site, member, visitor } = await loggedIn();
    const other = await aMember(site);
    for (const name of ['Board', 'Masters', 'Juniors', 'Alumni']) {
      const { id } = await aGroup(site, { name });
      const memberId = name === 'Juniors' ? other.id : member.id;
      const expiresAt = name === 'Masters' ? '2100-12-31T12:00:00.000Z' : null;
      await site.post(`/access-groups/${id}/members`, { memberId, expiresAt });
      if (name === 'Alumni') await site.delete(`/access-groups/${id}/members/${memberId}`);
    }
    const { text } = await visitor.get('/_gatehouse/account');
    expect(text).toMatch(/<bdi>Board<\/bdi>.*<bdi>Masters<\/bdi>.*Until .*2100/s);
    expect(text).not.toMatch(/Juniors|Alumni/);
  });
});
