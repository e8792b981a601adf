import { Access } from './access.ts';
import { AccessGroups } from './access-groups.ts';
import { AccessRulesOfSite } from './access-rules.ts';
import { ApiKeys } from './api-keys.ts';
import { Connection } from './connection.ts';
import { Events } from './events.ts';
import { Mails } from './mails.ts';
import { Members } from './members.ts';
import { Operators } from './operators.ts';
import { Sessions } from './sessions.ts';
import { type GatehouseOptions, toSettings } from './settings.ts';
import { SiteOfKey } from './site.ts';

export type { GatehouseOptions } from './settings.ts';

/** One site of a Gatehouse service: the one that the API key belongs to. */
export class Gatehouse {
  /** The people of the site. */
  readonly members: Members;
  /** Named sets of members, and who is in them. */
  readonly accessGroups: AccessGroups;
  /** Who may see which paths of the site. */
  readonly accessRules: AccessRulesOfSite;
  /** What the gate would say. */
  readonly access: Access;
  /** Who is asking, for programs that serve pages themselves. */
  readonly sessions: Sessions;
  /** The site itself. */
  readonly site: SiteOfKey;
  /** What programs open the API with. */
  readonly apiKeys: ApiKeys;
  /** The people who run the site at the dashboard. */
  readonly operators: Operators;
  /** The mails that the site has written. */
  readonly mails: Mails;
  /** What has happened on the site. */
  readonly events: Events;

  /** @throws TypeError when an option cannot be used */
  constructor(options: GatehouseOptions) {
    const connection = new Connection(toSettings(options));
    this.members = new Members(connection);
    this.accessGroups = new AccessGroups(connection);
    this.accessRules = new AccessRulesOfSite(connection);
    this.access = new Access(connection);
    this.sessions = new Sessions(connection);
    this.site = new SiteOfKey(connection);
    this.apiKeys = new ApiKeys(connection);
    this.operators = new Operators(connection);
    this.mails = new Mails(connection);
    this.events = new Events(connection);
  }
}
