import { randomUUID } from 'node:crypto';
import { type OperatorRole, operatorRoles, type Site } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { openSession } from '../src/domain/sessions/sessions.ts';
import { findOperatorTenant } from '../src/domain/sites/operator-tenant.ts';
import { changing } from './change.ts';
import {
  createTestOperator,
  send,
  type TestRequest,
  type TestResponse,
  type TestServer,
  type VisitResponse,
  visit,
} from './test-server.ts';

/** A browser at the dashboard: it keeps cookies and does not follow redirects. */
export class OperatorBrowser {
  readonly cookies = new Map<string, string>();
  readonly #server: Pick<TestServer, 'address' | 'apiUrl'>;

  constructor(server: Pick<TestServer, 'address' | 'apiUrl'>) {
    this.#server = server;
  }

  /** A request to the dashboard's own API. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const options: TestRequest = { headers: { ...this.cookieHeader(), ...headers } };
    const answer = await send(`${this.#server.address}/dashboard/api/${path}`, method, {
      ...options,
      ...(body !== undefined && { body }),
    });
    this.#keep(answer.headers.getSetCookie());
    return answer;
  }

  /** Opens a page, or submits a form. */
  async visit(
    method: string,
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<VisitResponse> {
    const answer = await visit(this.#server.address, method, path, {
      headers: { ...this.cookieHeader(), ...headers },
      ...(form && { form }),
    });
    this.#keep(answer.headers['set-cookie'] ?? []);
    return answer;
  }

  /** A token for a site. */
  async token(siteId: string): Promise<string> {
    return (await this.request('POST', 'token', { siteId })).body.data.token;
  }

  /** A request to the API for a site, as the dashboard sends it. */
  async api(siteId: string, method: string, path: string, body?: unknown): Promise<TestResponse> {
    const headers = { authorization: `Bearer ${await this.token(siteId)}` };
    return send(this.#server.apiUrl + path, method, { headers, ...(body !== undefined && { body }) });
  }

  /** The header with the cookies; none without cookies. */
  cookieHeader(): Record<string, string> {
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
  /** The id on the site. */
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly sessionId: string;
  /** The browser in which the operator is logged in. */
  readonly browser: OperatorBrowser;
}

/** A logged-in operator of a site. */
export async function anOperator(
  server: Pick<TestServer, 'address' | 'apiUrl' | 'database'>,
  siteId: string,
  role: OperatorRole = 'owner',
): Promise<TestOperator> {
  const email = `o-${randomUUID()}@example.com`;
  const created = await createTestOperator(server.database, siteId, role, email);
  return logInOperator(server, { ...created, email });
}

/** The operator in another browser. */
export async function logInOperator(
  server: Pick<TestServer, 'address' | 'apiUrl' | 'database'>,
  { id, personId, email }: Pick<TestOperator, 'id' | 'personId' | 'email'>,
): Promise<TestOperator> {
  const tenant = await operatorTenantOf(server);
  const opened = await changing(server.database, tenant.id, (change) =>
    openSession(change, personId, { userAgent: null, ipAddress: null }, 'link'),
  );
  const browser = new OperatorBrowser(server);
  browser.cookies.set('gatehouse_operator', opened.token);
  return { id, personId, email, sessionId: opened.session.id, browser };
}

/** Moves the login of an operator to the past. */
export async function moveLogin(
  { database }: Pick<TestServer, 'database'>,
  { sessionId }: Pick<TestOperator, 'sessionId'>,
  millisecondsAgo: number,
): Promise<void> {
  const at = new Date(Date.now() - millisecondsAgo).toISOString();
  await database.transaction((tx) =>
    tx.run(sql`UPDATE sessions SET created_at = ${at} WHERE id = ${sessionId}`),
  );
}

export function operatorTenantOf({ database }: Pick<TestServer, 'database'>): Promise<Site> {
  return findOperatorTenant(database);
}

export const everyRole: readonly OperatorRole[] = operatorRoles;
