import { randomUUID } from 'node:crypto';
import { type OperatorRole, operatorRoles, type Site } from '@gatehouse/contract';
import { openSession } from '../src/credentials/sessions.ts';
import { findOperatorsRealm } from '../src/operators/operators-realm.ts';
import {
  createTestOperator,
  send,
  type TestAnswer,
  type TestRequest,
  type TestServer,
  type VisitAnswer,
  visit,
} from './test-server.ts';

/** A browser at the dashboard: it keeps cookies and follows nothing by itself. */
export class OperatorBrowser {
  readonly cookies = new Map<string, string>();
  readonly #server: Pick<TestServer, 'address' | 'apiUrl'>;

  constructor(server: Pick<TestServer, 'address' | 'apiUrl'>) {
    this.#server = server;
  }

  /** Something that the dashboard asks for beside the API. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const options: TestRequest = { headers: { ...this.#cookieHeader(), ...headers } };
    const answer = await send(`${this.#server.address}/dashboard/api/${path}`, method, {
      ...options,
      ...(body !== undefined && { body }),
    });
    this.#keep(answer.headers.getSetCookie());
    return answer;
  }

  /** A page, or a form of one. */
  async visit(
    method: string,
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<VisitAnswer> {
    const answer = await visit(this.#server.address, method, path, {
      headers: { ...this.#cookieHeader(), ...headers },
      ...(form && { form }),
    });
    this.#keep(answer.headers['set-cookie'] ?? []);
    return answer;
  }

  /** A token for a site. */
  async token(siteId: string): Promise<string> {
    return (await this.ask('POST', 'token', { siteId })).body.token;
  }

  /** An operation of the API on a site, as the dashboard asks for it. */
  async api(siteId: string, method: string, path: string, body?: unknown): Promise<TestAnswer> {
    const headers = { authorization: `Bearer ${await this.token(siteId)}` };
    return send(this.#server.apiUrl + path, method, { headers, ...(body !== undefined && { body }) });
  }

  #cookieHeader(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return cookie === '' ? {} : { cookie };
  }

  #keep(cookies: readonly string[]): void {
    for (const each of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
  }
}

export interface TestOperator {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** Where the operator is signed in. */
  readonly browser: OperatorBrowser;
}

/** An operator of a site, signed in. */
export async function anOperator(
  server: Pick<TestServer, 'address' | 'apiUrl' | 'database'>,
  siteId: string,
  role: OperatorRole = 'owner',
): Promise<TestOperator> {
  const email = `o-${randomUUID()}@example.com`;
  const realm = await realmOfOperators(server);
  const id = await createTestOperator(server.database, siteId, role, email);
  const opened = await server.database.transaction((tx) =>
    openSession(tx, realm.id, id, { userAgent: null, clientAddress: null }, new Date().toISOString()),
  );
  const browser = new OperatorBrowser(server);
  browser.cookies.set('gatehouse_operator', opened.token);
  return { id, email, sessionId: opened.session.id, browser };
}

export function realmOfOperators({ database }: Pick<TestServer, 'database'>): Promise<Site> {
  return findOperatorsRealm(database);
}

export const everyRole: readonly OperatorRole[] = operatorRoles;
