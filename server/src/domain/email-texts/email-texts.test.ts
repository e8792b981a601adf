import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aDomain, aMember, everyItem } from '../../../test/contract/given.ts';
import { aJoinRequest, anAddress, anOpenSite, unlimitedJoining } from '../../../test/joining.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

const none = { greeting: null, closing: null, welcome: null };
const texts = { greeting: 'Ahoy,', closing: 'See you on the water!', welcome: 'Welcome aboard!' };

forEachStore((store) => {
  const server = useTestServer(store, { settings: unlimitedJoining });

  const put = (site: TestSite, changes: Partial<ReplaceEmailTexts>, language = 'en') =>
    site.request('PUT', `/email-texts/${language}`, { body: { ...none, ...changes } });
  const replace = async (
    site: TestSite,
    changes: Partial<ReplaceEmailTexts>,
    language?: string,
  ): Promise<EmailTexts> => expectResponse('replaceEmailTexts', await put(site, changes, language), 200).data;
  const list = async (site: TestSite): Promise<EmailTexts[]> =>
    expectResponse('listEmailTexts', await site.get('/email-texts'), 200).data;
  const lastChanges = async (site: TestSite) =>
    (await everyItem(site, '/events?type=site.updated')).at(-1)!.data.changes;

  const aSiteWithTexts = async () => {
    const site = await server.createSite();
    await aDomain(site);
    await replace(site, texts);
    return site;
  };
  /** The text of the newest email to an address. */
  const textTo = async (email: string, count = 1) => {
    const read = () =>
      server.database.all<{ content: string }>(
        sql`SELECT content FROM emails WHERE recipient = ${email} ORDER BY id`,
      );
    await expect.poll(async () => (await read()).length).toBe(count);
    return JSON.parse((await read()).at(-1)!.content).text as string;
  };

  describe('the texts of a site', () => {
    test('are those of Gatehouse in each language until they are replaced, one language at a time', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const before = await list(site);
      expect(before.map(({ language }) => language)).toEqual(['en', 'de', 'es', 'fr', 'ja']);
      expect(before[1]).toEqual({ language: 'de', ...none, defaults: { greeting: 'Guten Tag,' } });
      const saved = await replace(site, { greeting: ' Moin, ' }, 'de');
      expect(saved).toEqual({ ...before[1], greeting: 'Moin,' });
      expect(await list(site)).toEqual(before.map((each) => (each.language === 'de' ? saved : each)));
      expect(expectResponse('getEmailTexts', await site.get('/email-texts/de'), 200).data).toEqual(saved);
      expect(await list(other)).toEqual(before);
      expect(await lastChanges(site)).toEqual([
        { field: 'emailTexts', from: null, to: 'de, greeting: Moin,' },
      ]);
      await replace(site, { closing: 'Bis bald' }, 'de');
      await replace(site, { closing: 'Bis bald' }, 'de');
      expect(await replace(site, none, 'de')).toEqual(before[1]);
      expect(await lastChanges(site)).toEqual([
        { field: 'emailTexts', from: 'de, closing: Bis bald', to: null },
      ]);
      expect(await everyItem(site, '/events?type=site.updated')).toHaveLength(3);
      expect((await dumpSite(server.database, site.siteId)).email_texts).toEqual([]);
    });

    test.each([
      ['closing', 'Bis bald\r\n\r\n\r\n\r\nIhr Ruderclub e.V. \n', 'Bis bald\n\nIhr Ruderclub e.V.'],
      ['closing', 'See you on 31.12.2026 at 18.30, or at 3.50 m … z.B. here.', undefined],
      ['closing', 'Bis bald. Euer Team, z. B. U.S. … 3.5', undefined],
      ['closing', 'À bientôt ! … « Le club » (fondé en 1911). Merci.', undefined],
      ['closing', 'a\n-- \nb', 'a\n--\nb'],
      ['closing', 'ようこそ。ボートクラブです。', undefined],
      ['closing', '𝔸'.repeat(500), '𝔸'.repeat(500)],
      ['greeting', 'سلام 👨‍👩‍👧,', undefined],
      ['greeting', 'x'.repeat(100), undefined],
      ['welcome', '1\n2\n3\n4\n5\n6\n7\n8\n9\n10', undefined],
    ] as const)('%s can be %j', async (name, text, stored: string = text) => {
      const site = await server.createSite();
      expect((await replace(site, { [name]: text }))[name]).toBe(stored);
    });

    test.each([
      ['greeting', 'Hello\nworld', 'Use a single line.'],
      ['greeting', 'x'.repeat(101), 'Use 1 to 100 characters.'],
      ['greeting', ' \n ', 'Use 1 to 100 characters.'],
      ['closing', 'x'.repeat(501), 'Use 1 to 500 characters.'],
      ['welcome', '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11', 'Use at most 10 lines.'],
      ['closing', 'Hello\u0007', 'Remove the control characters.'],
      ['closing', 'Hello\rBcc: eve', 'Remove the control characters.'],
      ['closing', 'Hello\u2028there', 'Remove the control characters.'],
      ['closing', 'gro.elpmaxe\u202e', 'direction of text'],
      ['closing', 'Go to HTTP', '"HTTP"'],
      ['closing', 'Go to WWW.', '"WWW."'],
      ['closing', 'ftp://files', '"ftp://files"'],
      ['closing', 'Pay at example.com now', '"example.com"'],
      ['closing', 'Pay at t.co/abc', '"t.co"'],
      ['closing', 'Pay at bücher.xn--p1ai', '"bücher.xn--p1ai"'],
      ['closing', 'Pay at пример.рф', '"пример.рф"'],
      ['closing', 'Pay at exam\u200bple.\u00adcom', '"example.com"'],
      ['closing', 'Pay at ｅｘａｍｐｌｅ．ｃｏｍ', '"example.com"'],
      ['closing', 'Pay at example。com', '"example。com"'],
      ['closing', 'Pay at example․com', '"example.com"'],
      ['closing', 'Pay at 203.0.113.7', '"203.0.113.7"'],
      ['closing', 'Pay at 🏆.club', '"🏆.club"'],
      ['closing', 'Pay at exam\u2800ple.com', '"example.com"'],
      ['closing', 'Pay at exam\u06ddple.com', '"example.com"'],
      ['closing', 'Pay at 예시。한국', '"예시。한국"'],
      ['closing', 'Pay at 203。0。113。7', '"203。0。113。7"'],
      ['closing', 'MAILTO:club', '"MAILTO:"'],
      ['closing', 'office%40club', '"%40"'],
      ['closing', 'Write to office@club', '"office@club"'],
      ['closing', 'Write to office＠club', '"office@club"'],
      ['closing', 'Open \\\\server\\share', '"\\\\server\\share"'],
    ])('%s cannot be %j', async (name, text, reason) => {
      const site = await server.createSite();
      const before = await dumpSite(server.database, site.siteId);
      const { details } = expectResponse(
        'replaceEmailTexts',
        await put(site, { [name]: text }),
        400,
        'invalid_request',
      );
      expect(details[0].path).toBe(`/${name}`);
      expect(details[0].message).toContain(reason);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('are those of a language of Gatehouse', async () => {
      const site = await server.createSite();
      for (const language of ['it', 'EN']) {
        expectResponse('replaceEmailTexts', await put(site, {}, language), 400, 'invalid_request');
        const read = await site.get(`/email-texts/${language}`);
        expectResponse('getEmailTexts', read, 400, 'invalid_request');
      }
    });
  });

  describe('emails', () => {
    test('to members have the texts, and welcome a member until the first login', async () => {
      const site = await aSiteWithTexts();
      const { id, email } = await aMember(site);
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      const first = await emailTo(server, email);
      expect(first.text).toMatch(/^Ahoy,\n\nWelcome aboard!\n\n.*\n\nSee you on the water!\n\n-- \n/s);
      expect((await visitor.post(first.path)).status).toBe(303);
      await visitor.requestLink(email);
      const second = await emailTo(server, email, 2);
      expect(second.text).toMatch(/^Ahoy,\n\n(?!Welcome).*\n\nSee you on the water!\n\n-- \n/s);
      expectResponse('createMemberLoginLink', await site.post(`/members/${id}/login-links`, {}), 201);
      expect(await textTo(email, 3)).toMatch(/^Ahoy,\n\n(?!Welcome).*\n\nSee you/s);
    });

    test('that a member did not request have no texts until the first login', async () => {
      const site = await aSiteWithTexts();
      const { id, email } = await aMember(site);
      const untold = /^Hello,\n\n(?!Welcome)(?!.*See you)/s;
      expectResponse('createMemberLoginLink', await site.post(`/members/${id}/login-links`, {}), 201);
      expect(await textTo(email)).toMatch(untold);
      const sendLinks = async () => {
        const body = { memberIds: [id], action: { type: 'send_login_link' } };
        const { data } = expectResponse(
          'bulkMemberActions',
          await site.post('/members/bulk-actions', body),
          207,
        );
        expect(data[0].status).toBe('done');
      };
      await sendLinks();
      expect(await textTo(email, 2)).toMatch(untold);
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      const requested = await emailTo(server, email, 3);
      expect(requested.text).toMatch(/^Ahoy,\n\nWelcome aboard!\n\n.*See you/s);
      expect((await visitor.post(requested.path)).status).toBe(303);
      await sendLinks();
      expect(await textTo(email, 4)).toMatch(/^Ahoy,\n\n(?!Welcome).*See you/s);
    });

    test('in another language do not have the texts', async () => {
      const site = await aSiteWithTexts();
      const { email } = await aMember(site);
      await site.patch('/site', { languages: ['de'] });
      await new Visitor(site).requestLink(email);
      expect((await emailTo(server, email)).text).toMatch(/^Guten Tag,\n\nSie können/);
    });

    test('to people who are not members do not have the texts', async () => {
      const site = await aSiteWithTexts();
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const newcomer = anAddress();
      await new Visitor(site).requestLink(newcomer);
      expect((await emailTo(server, newcomer)).text).toMatch(/^Hello,\n\n(?!Welcome)/);
      const [{ email: known }, { email: added }] = [await aMember(site), await aMember(site)];
      const visitor = new Visitor(site);
      await visitor.requestLink(known);
      await visitor.post((await emailTo(server, known)).path);
      for (const [invited, greeting, count] of [
        [anAddress(), 'Hello,', 1],
        [added, 'Hello,', 1],
        [known, 'Ahoy,', 2],
      ] as const) {
        expectResponse(
          'createInvitation',
          await site.post('/invitations', { email: invited, send: true }),
          201,
        );
        const text = await textTo(invited, count);
        expect([text.split('\n')[0], text.includes('aboard')]).toEqual([greeting, false]);
      }
    });

    test('about an approved request to join welcome the new member, those about a declined one do not', async () => {
      const site = await anOpenSite(server);
      await replace(site, texts);
      for (const [decision, opening] of [
        ['approve', /^Ahoy,\n\nWelcome aboard!\n\n.*See you on the water!/s],
        ['decline', /^Hello,\n\n(?!Welcome)(?!.*See you)/s],
      ] as const) {
        const { id, email } = await aJoinRequest(server, site);
        const sent = (await site.get('/emails')).body.data.filter(
          ({ recipient }: { recipient: string }) => recipient === email,
        ).length;
        const body = { decision, joinRequestIds: [id] };
        expectResponse('decideJoinRequests', await site.post('/join-requests/decide', body), 207);
        expect(await textTo(email, sent + 1)).toMatch(opening);
      }
    });
  });
});
