import { hash } from 'node:crypto';
import type { Operation } from '@gatehouse/contract';
import { accessGroupRoutes } from '../access-groups/routes.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { Refusal } from '../base/refusal.ts';
import { EmailWithheld, recordWithheldEmail } from '../email-budgets/email-budgets.ts';
import { recordEvents } from '../events/events.ts';
import { eventRoutes } from '../events/routes.ts';
import { accessRoutes } from '../gate/routes.ts';
import { bulkActionRoutes, sessionRoutes, signUpRoutes } from '../login/routes.ts';
import { visitorActions } from '../login/visitor-actions.ts';
import { mailRoutes } from '../mail/routes.ts';
import { memberRoutes, membershipRoutes } from '../members/routes.ts';
import { operatorActions } from '../operators/operator-actions.ts';
import { operatorRoutes } from '../operators/routes.ts';
import { overviewRoutes } from '../overview/routes.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Answer, RouteContext } from '../routing/route.ts';
import { apiKeyRoutes, siteRoutes } from '../sites/routes.ts';
import type { Database, Queries, Transaction } from '../storage/database.ts';
import { type ActionCall, type Call, type Outcome, type Performer, refused } from './call.ts';
import { performOnce } from './idempotency.ts';

/** The function of every operation of the contract but the document itself, which needs no site. */
export const routes = {
  ...memberRoutes,
  ...membershipRoutes,
  ...accessGroupRoutes,
  ...siteRoutes,
  ...apiKeyRoutes,
  ...signUpRoutes,
  ...bulkActionRoutes,
  ...sessionRoutes,
  ...accessRoutes,
  ...operatorRoutes,
  ...mailRoutes,
  ...overviewRoutes,
  ...eventRoutes,
};

const actions = { ...visitorActions, ...operatorActions };

export interface ServiceSettings {
  /** The address of the API as the world sees it, without a slash at its end. */
  readonly apiUrl: string;
  readonly eventRetentionDays: number;
  /** Whether there is a mail server. */
  readonly sendsMail: boolean;
  /** Requests in 60 s of a key without a limit of its own; 0 for no limit. */
  readonly defaultRateLimit: number;
  readonly emailLimits: EmailLimits;
}

type AnyRoute = (
  context: RouteContext<Queries>,
  input: Pick<Call, 'params' | 'query' | 'body'>,
) => Promise<Answer<Operation>>;

/** Runs calls on a database. One that changes something runs in one transaction with its stored answer. */
export class Service implements Performer {
  readonly #database: Database;
  readonly #settings: ServiceSettings;
  readonly #onMailWaiting: (siteId: string) => void;

  /** @param onMailWaiting is told of a site once a mail of it waits, or the answer to somebody who wants one */
  constructor(
    database: Database,
    settings: ServiceSettings,
    onMailWaiting: (siteId: string) => void = () => {},
  ) {
    this.#database = database;
    this.#settings = settings;
    this.#onMailWaiting = onMailWaiting;
  }

  async perform(call: Call | ActionCall): Promise<Outcome> {
    const outcome = 'action' in call ? await this.#performAction(call) : await this.#performCall(call);
    if (outcome.kind === 'success' && outcome.mailWaits) this.#onMailWaiting(call.siteId);
    return outcome;
  }

  async #performAction(call: ActionCall): Promise<Outcome> {
    const { siteId, cause, action, input } = call;
    const act = actions[action] as (context: object, input: unknown) => Promise<unknown>;
    try {
      const result = await this.#database.transaction((db) => act({ db, siteId, cause }, input));
      const mailWaits = action === 'askForLoginLink';
      return { kind: 'success', payload: JSON.stringify(result), headers: {}, mailWaits };
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  }

  async #performCall(call: Call): Promise<Outcome> {
    try {
      if (!call.changes) return await this.#run(call, this.#database);
      return await this.#database.transaction((tx) =>
        call.idempotency === undefined
          ? this.#run(call, tx)
          : performOnce(tx, call, call.idempotency, () => this.#run(call, tx)),
      );
    } catch (error) {
      if (error instanceof EmailWithheld) await this.#recordWithheld(call, error);
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  }

  /** The transaction of the request was undone. */
  #recordWithheld({ siteId, cause }: Call, withheld: EmailWithheld): Promise<void> {
    return this.#database.transaction(async (tx) =>
      recordEvents(tx, siteId, cause, await recordWithheldEmail(tx, siteId, withheld)),
    );
  }

  async #run(call: Call, db: Queries | Transaction): Promise<Outcome> {
    const { siteId, cause, permissions, params, query, body } = call;
    const route = routes[call.operationId as keyof typeof routes] as unknown as AnyRoute;
    const requireMatch = call.ifMatch === undefined ? anyVersion : versionOf(call.ifMatch);
    const answer = await route(
      { ...this.#settings, db, siteId, cause, permissions, requireMatch },
      { params, query, body },
    );
    const payload = answer.body === undefined ? null : JSON.stringify(answer.body);
    const headers: Record<string, string> = {};
    if (answer.location !== undefined) headers.location = answer.location;
    const next = (answer.body as { pagination?: { nextCursor: string | null } } | undefined)?.pagination
      ?.nextCursor;
    if (next) headers.link = nextLink(this.#settings.apiUrl, call.target, next);
    return { kind: 'success', payload, headers, mailWaits: answer.mailWaits ?? false, seen: answer.seen };
  }
}

/** A strong validator (RFC 9110, section 8.8.3): it changes with any byte of the body. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}

const anyVersion: Precondition<object> = () => {};

/** `If-Match` (RFC 9110, section 13.1.1): one of the tags given, compared strongly, or `*` for any. */
function versionOf(ifMatch: string): Precondition<object> {
  if (ifMatch.trim() === '*') return anyVersion;
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  return (current) => {
    if (wanted.includes(etagOf(JSON.stringify({ data: current })))) return;
    throw new Refusal(
      'precondition_failed',
      'The resource has changed since you read it. Get it again, and repeat the change on what it is now.',
    );
  };
}

function nextLink(apiUrl: string, target: string, cursor: string): string {
  const url = new URL(apiUrl + target);
  url.searchParams.set('after', cursor);
  return `<${url.href}>; rel="next"`;
}
