import type { CreateLoginProvider, LoginProvider } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expectResponse } from '../contract/answers.ts';
import { aDomain } from '../contract/given.ts';
import type { TestServer, TestSite, VisitResponse } from '../test-server.ts';
import { everyLoginRequestProcessed, formKeyIn, Visitor } from '../visitor.ts';
import { type Claims, clientSecret, type MockAccount, type MockProvider } from './mock-provider.ts';

/** A login provider of a site, and the server behind it. */
export interface TestProvider {
  readonly id: string;
  readonly mock: MockProvider;
}

/** A site with a domain, and an enabled login provider for each server. */
export async function aProviderSite(
  server: Pick<TestServer, 'createSite'>,
  mocks: readonly MockProvider[],
): Promise<{ readonly site: TestSite; readonly providers: TestProvider[] }> {
  const site = await server.createSite();
  await aDomain(site);
  const providers: TestProvider[] = [];
  for (const [index, mock] of mocks.entries()) {
    const { id } = await anEnabledProvider(site, { name: `Provider ${index + 1}`, issuer: mock.issuer });
    providers.push({ id, mock });
  }
  return { site, providers };
}

export async function anEnabledProvider(
  site: TestSite,
  values: Partial<CreateLoginProvider>,
): Promise<LoginProvider> {
  const common = {
    type: 'oidc',
    name: 'Example',
    clientId: 'gatehouse',
    secret: clientSecret,
    enabled: true,
  };
  const answer = await site.post('/login-providers', { ...common, ...values });
  return expectResponse('createLoginProvider', answer, 201).data;
}

/** An account with an address for which the provider vouches. */
export function verified(sub: string, email: string, more: Claims = {}): MockAccount {
  return { claims: { sub, email, email_verified: true, ...more } };
}

/** An account with an address for which it does not. */
export function unverified(sub: string, email: string, more: Claims = {}): MockAccount {
  return { claims: { sub, email, email_verified: false, ...more } };
}

/** A browser in which somebody logs in with accounts at providers. */
export class ProviderBrowser extends Visitor {
  readonly userAgent: string;

  constructor(site: TestSite, userAgent = 'a browser') {
    super(site);
    this.userAgent = userAgent;
  }

  override get(path: string, headers: Record<string, string> = {}): Promise<VisitResponse> {
    return super.get(path, { 'user-agent': this.userAgent, ...headers });
  }

  override post(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<VisitResponse> {
    return super.post(path, form, { 'user-agent': this.userAgent, ...headers });
  }

  /** Presses the button of a provider. Returns the page of the provider to which that leads. */
  async begin({ id }: Pick<TestProvider, 'id'>, next = '/'): Promise<string> {
    return pageOfProvider(await this.post(`/_gatehouse/login/with/${id}`, { next }));
  }

  /** Presses the button, and logs in there. Returns the path that the provider sends the browser back to. */
  async logInThere(provider: TestProvider, account: MockAccount, next = '/'): Promise<string> {
    return pathOf(await provider.mock.authorize(await this.begin(provider, next), account));
  }

  async logInWith(provider: TestProvider, account: MockAccount, next = '/'): Promise<VisitResponse> {
    return this.get(await this.logInThere(provider, account, next));
  }

  /** Links an account on the account page. */
  async linkThere({ id, mock }: TestProvider, account: MockAccount): Promise<string> {
    const response = await this.submit('/_gatehouse/account/identities/link', { provider: id });
    return pathOf(await mock.authorize(pageOfProvider(response), account));
  }

  /** Uses the link in the newest email to an address. */
  async useLinkTo(
    server: Pick<TestServer, 'database'>,
    email: string,
    form: Record<string, string> = {},
  ): Promise<VisitResponse> {
    const path = await linkTo(server, email);
    await this.get(path);
    return this.post(path, form);
  }

  /** Requests a link, and uses it. */
  async logInByEmail(server: Pick<TestServer, 'database'>, email: string): Promise<VisitResponse> {
    await this.requestLink(email);
    return this.useLinkTo(server, email);
  }

  /** Answers the page that asks whether to link an account, if it is shown. */
  async answerLinking(answer: 'link' | 'not_now', page = '/_gatehouse/link-account'): Promise<VisitResponse> {
    const { text } = await this.get(page);
    const [, next = '/'] = /name="next" value="([^"]*)"/.exec(text) ?? [];
    return this.post('/_gatehouse/link-account', { formKey: formKeyIn(text), answer, next });
  }

  /** The address of the member who is logged in; undefined for nobody. */
  async email(): Promise<string | undefined> {
    const { text } = await this.get('/_gatehouse/account');
    return /<p class="identity">.*<bdi>([^<]*)<\/bdi>/.exec(text)?.[1];
  }
}

/** The path of the newest login link for an address. Other emails about accounts have none. */
async function linkTo({ database }: Pick<TestServer, 'database'>, email: string): Promise<string> {
  await everyLoginRequestProcessed({ database });
  const found = await database.get<{ content: string }>(sql`
    SELECT content FROM emails WHERE recipient = ${email} AND type = 'login_link' ORDER BY id DESC LIMIT 1`);
  const [, path] = /(\/_gatehouse\/link\/[\w-]{43})/.exec(JSON.parse(found!.content).text) ?? [];
  return path!;
}

function pageOfProvider({ status, text }: VisitResponse): string {
  const [, url] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(text) ?? [];
  if (url === undefined) throw new Error(`The response ${status} does not lead to a provider.`);
  return url.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}

export function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

/** What a response says, in a word. */
export function outcomeOf({ status, headers }: VisitResponse): string {
  const { location } = headers;
  const [, failure] = /gatehouse_failure=(\w+)\./.exec(headers['set-cookie']?.join() ?? '') ?? [];
  if (failure !== undefined) return failure;
  if (location !== undefined) return outcomeAt(new URL(location, 'https://site.example'));
  return (
    { 400: 'bad request', 403: 'forbidden', 404: 'not found', 429: 'too many' }[status] ?? String(status)
  );
}

function outcomeAt({ pathname, search, searchParams }: URL): string {
  if (pathname === '/_gatehouse/account') return `account ${searchParams.get('linking') ?? ''}`.trim();
  if (pathname.startsWith('/_gatehouse/')) return pathname.slice('/_gatehouse/'.length);
  return `to ${pathname}${search}`;
}
