import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { aDomain } from './contract/given.ts';
import type { TestServer, TestSite, VisitResponse } from './test-server.ts';

/** The content of an email with a login link. */
export interface LoginEmail {
  /** The path of the link on its site, of a login or an invitation. */
  path: string;
  url: string;
  code: string | undefined;
  subject: string;
  text: string;
  html: string;
}

/** What email programs and people append to links, as it arrives in a request. */
export const appendedToLinks = (
  ". , ; : ! ) ' / * = &gt; &quot; %20 %22 %3E %5D %253E %C2%A0 %E2%80%8B %E2%80%9D %C2%BB %E3%80%82 %EF%BC%89 ). " +
  '%3E%20 /. %22%3E'
).split(' ');

/** Login requests are processed within milliseconds, and many tests wait for dozens of them. */
const soon = { timeout: 30_000, interval: 5 };

/** A browser on a site: it keeps cookies and does not follow redirects. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #site: TestSite;

  constructor(site: TestSite) {
    this.#site = site;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<VisitResponse> {
    return this.#visit('GET', path, headers);
  }

  post(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<VisitResponse> {
    return this.#visit('POST', path, headers, form);
  }

  /** Submits a form of the account page, with the key that the page contains. */
  async submit(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<VisitResponse> {
    const { text } = await this.get('/_gatehouse/account');
    return this.post(path, { formKey: formKeyIn(text), ...form }, headers);
  }

  /** Requests a login link. */
  async requestLink(email: string, next?: string): Promise<VisitResponse> {
    await aDomain(this.#site);
    return this.post('/_gatehouse/login', { email, ...(next !== undefined && { next }) });
  }

  /** The token of the session, if there is one. */
  get session(): string | undefined {
    return this.cookies.get('__Host-gatehouse_session');
  }

  async #visit(method: string, path: string, headers: Record<string, string>, form?: Record<string, string>) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#site.visit(method, path, {
      headers: { ...(cookie && { cookie }), ...headers },
      ...(form && { form }),
    });
    for (const each of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return answer;
  }
}

/** The key of the forms of an account page; empty for another page. */
export function formKeyIn(page: string): string {
  return /name="formKey" value="([^"]*)"/.exec(page)?.[1] ?? '';
}

/** The stored emails of an address, oldest first, once there are this many. */
export async function emailsTo(
  server: Pick<TestServer, 'database'>,
  email: string,
  count = 1,
): Promise<LoginEmail[]> {
  const read = () =>
    server.database.all<{ content: string | null }>(
      sql`SELECT content FROM emails WHERE recipient = ${email} AND status = 'not_sent' ORDER BY id`,
    );
  await expect.poll(async () => (await read()).length, soon).toBeGreaterThanOrEqual(count);
  return (await read())
    .filter(({ content }) => content !== null)
    .map(({ content }) => loginEmail(JSON.parse(content!)));
}

/** The newest email for an address that has one. */
export async function emailTo(
  server: Pick<TestServer, 'database'>,
  email: string,
  count = 1,
): Promise<LoginEmail> {
  return (await emailsTo(server, email, count)).at(-1)!;
}

function loginEmail({ subject, text, html }: { subject: string; text: string; html: string }): LoginEmail {
  const url = /https?:\/\/\S+\/(?:_gatehouse|dashboard)\/(?:link|join)\/[\w-]{43}/.exec(text)![0];
  const code = /\b\d{3} ?\d{3}\b/.exec(text.replace(url, ''))?.[0].replace(' ', '');
  return { url, path: new URL(url).pathname, code, subject, text, html };
}

/** Waits until all login requests are processed and no email is waiting, whether or not an email was sent. */
export async function everyLoginRequestProcessed(server: Pick<TestServer, 'database'>): Promise<void> {
  const waiting = () =>
    server.database.all(sql`
      SELECT id FROM login_links WHERE status = 'requested' UNION ALL SELECT id FROM emails WHERE status = 'waiting'`);
  await expect.poll(waiting, soon).toEqual([]);
}
