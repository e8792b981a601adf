import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { type BuiltInSite, folderOfTests, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { writeSite } from '../../../test/gate/club.ts';
import { forOneStore } from '../../../test/stores.ts';
import { send, visit } from '../../../test/test-server.ts';

/** What someone sees of a response: the headers, and the body of a denial. */
type Seen = { path: string; status: number; headers: object; text: string };

const basic = (token: string) => `Basic ${Buffer.from(`reader:${token}`).toString('base64')}`;

/** One request for each place of a token, to each part that reads it. */
async function requestsWith(
  { server, anonymous }: BuiltInSite,
  token: string,
  path: string,
): Promise<Seen[]> {
  const query = `?page=2&access_token=${token}`;
  const withHeader = [`Bearer ${token}`, basic(token)].map((authorization) => ({
    target: path,
    authorization,
  }));
  const seen: Seen[] = [];
  const asPage = { accept: 'text/html' };
  for (const { target, authorization } of [
    { target: path + query, authorization: undefined },
    ...withHeader,
  ]) {
    const own = authorization === undefined ? {} : { authorization };
    for (const headers of [{ ...own, ...asPage }, own]) {
      const page = await anonymous().get(target, Object.entries(headers));
      seen.push({
        path: target,
        status: page.status,
        headers: Object.fromEntries(page.headers),
        text: page.text,
      });
      const original = { 'x-forwarded-host': siteHost, 'x-original-uri': target, 'x-forwarded-uri': target };
      for (const name of ['auth', 'denied', 'forward-auth']) {
        const url = `/_gatehouse/${name}`;
        const answer = await visit(server.address, 'GET', url, { headers: { ...headers, ...original } });
        // A program that has access by now is sent to its own address again.
        if (answer.headers.location === `http://${siteHost}${target}`) continue;
        seen.push({ path: `${name} ${target}`, ...answer });
      }
    }
    const answer = await send(`${server.address}/api/v1/site${query}`, 'GET', { headers: own });
    seen.push({ path: 'api', ...answer, headers: Object.fromEntries(answer.headers) });
    seen.push({
      path: 'unknown',
      ...(await visit(server.address, 'GET', `/_gatehouse/x${query}`, { headers: own })),
    });
  }
  return seen;
}

forOneStore((store) => {
  test('no token is in the log, in an event, or in what a denied visitor sees', async () => {
    const lines: string[] = [];
    const siteFolder = folderOfTests();
    writeSite(siteFolder, 'only for members of the club');
    const settings = {
      siteFolder,
      trustedProxies: ['127.0.0.1'],
      logLevel: 'trace',
      rateLimitUnauthenticated: 5,
    };
    const built = await startBuiltInSite(store, settings, (line) => lines.push(line));
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/public', access: 'members', acceptsTokenInUrl: true },
      { path: '/paying', access: 'paying_members', acceptsTokenInUrl: true },
    );
    const { id } = await built.memberWith();
    const token = await built.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
    const secret: string = token.body.data.secret;
    const wrong = `gmt_${'w'.repeat(43)}`;
    const seen: Seen[] = [];
    for (const sent of [secret, wrong, 'gmt_short']) {
      for (const path of ['/members/', '/public/', '/paying/', '/none', '/a/../b'])
        seen.push(...(await requestsWith(built, sent, path)));
    }
    const statuses = new Set(seen.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 204, 302, 401, 403, 404, 429]));
    const events = await built.api('GET', '/events?limit=100');
    await built.server.database.transaction((tx) => tx.run(sql`DROP TABLE access_tokens`));
    const failed = await requestsWith(built, secret, '/public/');
    expect(failed.map(({ status }) => status)).toContain(503);
    seen.push(...failed);
    await built.server.stop();
    expect(lines.filter((line) => JSON.parse(line).level >= 50)).not.toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
    const responses = seen.map(
      ({ path, headers, text }) => `${path.split('?')[0]} ${JSON.stringify(headers)} ${text}`,
    );
    const texts = [...lines, events.text, ...responses];
    const encoded = [secret, wrong, 'gmt_short'].map((each) => basic(each).slice('Basic '.length));
    for (const each of ['gmt_', ...encoded]) expect(texts.filter((text) => text.includes(each))).toEqual([]);
  });
});
