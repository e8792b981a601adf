import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aMember } from '../../../../test/contract/given.ts';
import {
  anAddress,
  anInvitation,
  anOpenSite,
  pathOf,
  sendJoinForm,
  unlimitedJoining,
} from '../../../../test/joining.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { everyLoginRequestProcessed, Visitor } from '../../../../test/visitor.ts';

/** Headers with another value in each response. */
const changing = /^(?:date|set-cookie|content-length|x-request-id|x-ratelimit-.*)$/;

forEachStore((store) => {
  const server = useTestServer(store, { settings: unlimitedJoining });

  /** A member, a blocked member and a person who is neither. */
  async function threePeople(site: TestSite): Promise<string[]> {
    const [member, blocked] = [await aMember(site), await aMember(site)];
    await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
    return [member.email, blocked.email, anAddress()];
  }

  /** What a browser sees that sends the form of a page for an address, without the values that are new each time. */
  async function seen(site: TestSite, path: string, email: string) {
    const visitor = new Visitor(site);
    const answers = [await sendJoinForm(visitor, path, { email, message: 'Hello' })];
    answers.push(await visitor.get('/_gatehouse/check'));
    await everyLoginRequestProcessed(server);
    answers.push(await visitor.get('/_gatehouse/check'));
    answers.push(await visitor.post('/_gatehouse/code', { code: '000000' }));
    return answers.map(({ status, text, headers }) => ({
      status,
      text: text.replaceAll(email, '<email>'),
      headers: Object.entries(headers).filter(([name]) => !changing.test(name)),
      length: Number(headers['content-length'] ?? 0) - lengthOf(text, email),
      cookies: headers['set-cookie']?.map((cookie) => cookie.replace(/=[\w-]{43}/, '=<token>')),
    }));
  }

  /** The bytes that an address has in a page. */
  const lengthOf = (text: string, email: string) => (text.split(email).length - 1) * email.length;

  /** What the request of an address has stored. */
  const rowsOf = (site: TestSite, email: string) =>
    server.database.all(sql`
      SELECT next_path, language, origin, joining, member_id, known_browser_id FROM login_links
      WHERE site_id = ${site.siteId} AND email = ${email}`);

  test.each(['an invitation', 'an invitation that needs approval', 'asking to join'])(
    '%s: a member, a blocked member and anyone else get the same responses',
    async (way) => {
      const site = await anOpenSite(server, { allowsAccessRequests: true });
      const values = { needsApproval: way === 'an invitation that needs approval' };
      const path = way === 'asking to join' ? '/_gatehouse/join' : pathOf(await anInvitation(site, values));
      const people = await threePeople(site);
      const responses = [];
      for (const email of people) responses.push(await seen(site, path, email));
      expect(responses[1]).toEqual(responses[0]);
      expect(responses[2]).toEqual(responses[0]);
      const rows = [];
      for (const email of people) rows.push(await rowsOf(site, email));
      // Whose row is processed already has the member; the response was sent before that.
      const submitted = rows.map((found) => found.map((row) => ({ ...(row as object), member_id: null })));
      expect(submitted[0]).toHaveLength(1);
      expect(submitted[1]).toEqual(submitted[0]);
      expect(submitted[2]).toEqual(submitted[0]);
    },
  );
});
