import { expect } from 'vitest';
import { logInOperator, type TestOperator } from '../operator.ts';
import { createTestOperator, type TestServer, type TestSite } from '../test-server.ts';
import { type Filling, type OperatorName, operators } from './filling.ts';
import { timeZone } from './time.ts';

export const domain = 'rowing.example.org';

/** The site of the club, still without members. */
export interface ClubSite {
  readonly site: TestSite;
  readonly slug: string;
  readonly as: Filling['as'];
  logIn(name: OperatorName): Promise<TestOperator>;
}

/** Creates the site of the club with its operators. */
export async function createClubSite(server: TestServer): Promise<ClubSite> {
  const site = await server.createSite();
  const ids = new Map<string, { id: string; personId: string; email: string }>();
  for (const [name, role] of Object.entries(operators)) {
    const email = `${name.split(' ')[0]!.toLowerCase().replace('á', 'a')}@${domain}`;
    ids.set(name, { ...(await createTestOperator(server.database, site.siteId, role, email)), email });
  }
  const logIn = (name: string) => logInOperator(server, ids.get(name)!);
  for (const name of ids.keys()) {
    const { browser } = await logIn(name);
    expect((await browser.request('PATCH', 'me', { displayName: name })).status).toBe(200);
  }
  const as: Filling['as'] = async (name, method, path, body) => {
    const { browser } = await logIn(name);
    const { status, text, body: answer } = await browser.api(site.siteId, method, path, body);
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return answer?.data;
  };
  const { slug } = await as('Sofia Lindqvist', 'PATCH', '/site', {
    title: 'Lakeside Rowing Club',
    domain,
    timeZone,
    color: '#1d5b9e',
    signUp: { policy: 'approval', domains: [] },
  });
  return { site, slug, as, logIn };
}
