import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { aDomain } from './contract/given.ts';
import type { TestServer, TestSite, VisitAnswer } from './test-server.ts';

/** What a mail with a login link says. */
export interface LoginMail {
  /** The path of the link on its site. */
  path: string;
  url: string;
  code: string | undefined;
  subject: string;
  text: string;
  html: string;
}

/** A browser on a site: it keeps cookies and follows nothing by itself. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #site: TestSite;

  constructor(site: TestSite) {
    this.#site = site;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<VisitAnswer> {
    return this.#visit('GET', path, headers);
  }

  post(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<VisitAnswer> {
    return this.#visit('POST', path, headers, form);
  }

  /** Asks for a login link. */
  async ask(email: string, next?: string): Promise<VisitAnswer> {
    await aDomain(this.#site);
    return this.post('/_gatehouse/login', { email, ...(next !== undefined && { next }) });
  }

  /** The token of the session, while there is one. */
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

/** The mails kept for an address, oldest first, once there are so many. */
export async function mailsTo(
  server: Pick<TestServer, 'database'>,
  email: string,
  count = 1,
): Promise<LoginMail[]> {
  const read = () =>
    server.database.all<{ content: string | null }>(
      sql`SELECT content FROM mails WHERE recipient = ${email} AND state = 'kept' ORDER BY id`,
    );
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  return (await read())
    .filter(({ content }) => content !== null)
    .map(({ content }) => loginMail(JSON.parse(content!)));
}

/** The newest mail for an address that has one. */
export async function mailTo(
  server: Pick<TestServer, 'database'>,
  email: string,
  count = 1,
): Promise<LoginMail> {
  return (await mailsTo(server, email, count)).at(-1)!;
}

function loginMail({ subject, text, html }: { subject: string; text: string; html: string }): LoginMail {
  const url = /https?:\/\/\S+\/(?:_gatehouse|dashboard)\/link\/[\w-]{43}/.exec(text)![0];
  const code = /\b\d{3} ?\d{3}\b/.exec(text.replace(url, ''))?.[0].replace(' ', '');
  return { url, path: new URL(url).pathname, code, subject, text, html };
}

/** Waits until what was asked for has been answered and no mail is on its way, whether or not one came of it. */
export async function everyAskAnswered(server: Pick<TestServer, 'database'>): Promise<void> {
  const waiting = () =>
    server.database.all(sql`
      SELECT id FROM login_links WHERE state = 'asked' UNION ALL SELECT id FROM mails WHERE state = 'waiting'`);
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
}
