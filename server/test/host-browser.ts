import { expect } from 'vitest';
import { aLoginLink } from './contract/given.ts';
import { type TestServer, type TestSite, type VisitResponse, visit } from './test-server.ts';

/** A browser that keeps cookies for each host and does not follow redirects. */
export class HostBrowser {
  readonly #server: Pick<TestServer, 'address'>;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(server: Pick<TestServer, 'address'>) {
    this.#server = server;
  }

  cookiesOf(host: string): Map<string, string> {
    const cookies = this.#cookies.get(host) ?? new Map();
    this.#cookies.set(host, cookies);
    return cookies;
  }

  async send(
    method: string,
    url: string,
    { headers = {}, form }: { headers?: Record<string, string>; form?: Record<string, string> } = {},
  ): Promise<VisitResponse> {
    const { host, pathname, search } = new URL(url);
    const cookies = this.cookiesOf(host);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await visit(this.#server.address, method, pathname + search, {
      headers: { host, ...(cookie && { cookie }), ...headers },
      ...(form && { form }),
    });
    for (const each of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  }

  /** Follows redirects from a page. Returns the URLs, and the last answer. */
  async follow(url: string): Promise<{ urls: string[]; answer: VisitResponse }> {
    const urls = [url];
    let answer = await this.send('GET', url);
    for (; answer.headers.location !== undefined && urls.length < 10; ) {
      const next = new URL(answer.headers.location, urls.at(-1)).href;
      urls.push(next);
      // The pages themselves are not served here.
      if (!new URL(next).pathname.startsWith('/_gatehouse/')) break;
      answer = await this.send('GET', next);
    }
    return { urls, answer };
  }

  /** The status that the gate gives nginx for a path at a host. */
  async gate(host: string, path: string): Promise<number> {
    const headers = { 'x-forwarded-host': host, 'x-original-uri': path };
    return (await this.send('GET', `https://${host}/_gatehouse/auth`, { headers })).status;
  }

  async logIn(site: TestSite, memberId: string, host: string): Promise<void> {
    const link = await aLoginLink(site, memberId);
    const answer = await this.send('POST', `https://${host}/_gatehouse/link/${link}`, { form: {} });
    expect(answer.status).toBe(303);
  }
}
