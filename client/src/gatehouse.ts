import type { Call } from './http/call.ts';
import { Connection } from './http/connection.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './http/options.ts';
import { type GatehouseOptions, toSettings } from './http/settings.ts';
import type { OperationId, Parts, ResponseBody } from './http/shapes.ts';
import { Access } from './resources/access.ts';
import { AccessGroups } from './resources/access-groups/access-groups.ts';
import { AccessRulesOfSite } from './resources/access-rules.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { EmailTextsOfSite } from './resources/email-texts.ts';
import { Emails } from './resources/emails.ts';
import { EventGroups } from './resources/events/event-groups.ts';
import { Events } from './resources/events/events.ts';
import { Members } from './resources/members/members.ts';
import { Operators } from './resources/operators.ts';
import { Resource } from './resources/resource.ts';
import { Sessions } from './resources/sessions.ts';
import { SiteOverview } from './resources/site/overview.ts';
import { SiteOfKey } from './resources/site/site.ts';
import { Sources } from './resources/sources/sources.ts';
import { Invitations } from './resources/ways-in/invitations.ts';
import { JoinRequests } from './resources/ways-in/join-requests.ts';
import { LoginMethods } from './resources/ways-in/login-methods.ts';
import { LoginProviders } from './resources/ways-in/login-providers.ts';
import { PageCodes } from './resources/ways-in/page-codes.ts';
import { Webhooks } from './resources/webhooks/webhooks.ts';

export type { GatehouseOptions } from './http/settings.ts';

/** One site of a Gatehouse service: the one that the API key belongs to. */
export class Gatehouse extends Resource {
  /** The members of the site. */
  readonly members = new Members(this.connection);
  /** Named sets of members. */
  readonly accessGroups = new AccessGroups(this.connection);
  /** Links with which people become members, or join groups. */
  readonly invitations = new Invitations(this.connection);
  /** The people who ask to become members, and the members who ask for access. */
  readonly joinRequests = new JoinRequests(this.connection);
  /** The access rules for the paths of the site. */
  readonly accessRules = new AccessRulesOfSite(this.connection);
  /** Servers where members have an account with which they can log in. */
  readonly loginProviders = new LoginProviders(this.connection);
  /** How many members use each way to log in. */
  readonly loginMethods = new LoginMethods(this.connection);
  /** Codes that give access to pages without a login. */
  readonly pageCodes = new PageCodes(this.connection);
  /** Access checks. */
  readonly access = new Access(this.connection);
  /** External workspaces whose collections become scope groups. */
  readonly sources = new Sources(this.connection);
  /** Session verification, for programs that serve pages themselves. */
  readonly sessions = new Sessions(this.connection);
  /** The site itself. */
  readonly site = new SiteOfKey(this.connection);
  /** The site at a glance. */
  readonly overview = new SiteOverview(this.connection);
  /** The API keys of the site. */
  readonly apiKeys = new ApiKeys(this.connection);
  /** The people who manage the site in the dashboard. */
  readonly operators = new Operators(this.connection);
  /** The emails of the site. */
  readonly emails = new Emails(this.connection);
  /** The texts of the site in its emails to members. */
  readonly emailTexts = new EmailTextsOfSite(this.connection);
  /** The events of the site. */
  readonly events = new Events(this.connection);
  /** The events of the site, grouped by request. */
  readonly eventGroups = new EventGroups(this.connection);
  /** Receivers of the events of the site. */
  readonly webhooks = new Webhooks(this.connection);

  /** @throws TypeError if an option is invalid */
  constructor(options: GatehouseOptions) {
    super(new Connection(toSettings(options)));
  }

  /**
   * Calls an operation by its ID in the API, for programs that do not know in advance which one. It returns the whole body
   * of the response.
   */
  send<Id extends OperationId>(
    id: Id,
    parts: Parts<Id>,
    options?: CallOptions & CreateOptions & ChangeOptions,
  ): Call<ResponseBody<Id>> {
    return this.callForBody(id, parts, options);
  }
}
