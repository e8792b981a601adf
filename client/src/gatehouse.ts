import { type Call, toCall, whole } from './http/call.ts';
import { Connection } from './http/connection.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './http/options.ts';
import { type GatehouseOptions, toSettings } from './http/settings.ts';
import type { OperationId, Parts, ResponseBody } from './http/shapes.ts';
import { Access } from './resources/access.ts';
import { AccessGroups } from './resources/access-groups/access-groups.ts';
import { AccessRulesOfSite } from './resources/access-rules.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { Emails } from './resources/emails.ts';
import { EventGroups } from './resources/events/event-groups.ts';
import { Events } from './resources/events/events.ts';
import { Members } from './resources/members/members.ts';
import { Operators } from './resources/operators.ts';
import { Sessions } from './resources/sessions.ts';
import { SiteOverview } from './resources/site/overview.ts';
import { SiteOfKey } from './resources/site/site.ts';
import { Sources } from './resources/sources/sources.ts';
import { Webhooks } from './resources/webhooks/webhooks.ts';

export type { GatehouseOptions } from './http/settings.ts';

/** One site of a Gatehouse service: the one that the API key belongs to. */
export class Gatehouse {
  /** The members of the site. */
  readonly members: Members;
  /** Named sets of members. */
  readonly accessGroups: AccessGroups;
  /** The access rules for the paths of the site. */
  readonly accessRules: AccessRulesOfSite;
  /** Access checks. */
  readonly access: Access;
  /** External workspaces whose collections become scope groups. */
  readonly sources: Sources;
  /** Session verification, for programs that serve pages themselves. */
  readonly sessions: Sessions;
  /** The site itself. */
  readonly site: SiteOfKey;
  /** The site at a glance. */
  readonly overview: SiteOverview;
  /** The API keys of the site. */
  readonly apiKeys: ApiKeys;
  /** The people who manage the site in the dashboard. */
  readonly operators: Operators;
  /** The emails of the site. */
  readonly emails: Emails;
  /** The events of the site. */
  readonly events: Events;
  /** The events of the site, grouped by request. */
  readonly eventGroups: EventGroups;
  /** Receivers of the events of the site. */
  readonly webhooks: Webhooks;
  readonly #connection: Connection;

  /** @throws TypeError if an option is invalid */
  constructor(options: GatehouseOptions) {
    const connection = new Connection(toSettings(options));
    this.#connection = connection;
    this.members = new Members(connection);
    this.accessGroups = new AccessGroups(connection);
    this.accessRules = new AccessRulesOfSite(connection);
    this.access = new Access(connection);
    this.sources = new Sources(connection);
    this.sessions = new Sessions(connection);
    this.site = new SiteOfKey(connection);
    this.overview = new SiteOverview(connection);
    this.apiKeys = new ApiKeys(connection);
    this.operators = new Operators(connection);
    this.emails = new Emails(connection);
    this.events = new Events(connection);
    this.eventGroups = new EventGroups(connection);
    this.webhooks = new Webhooks(connection);
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
    return toCall(this.#connection.send(id, parts, options), whole);
  }
}
