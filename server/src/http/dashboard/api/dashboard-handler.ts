import type { Input, Output, Site } from '@gatehouse/contract';
import type {
  DashboardOperation,
  DashboardOperationId,
  DashboardOperations,
} from '@gatehouse/contract/dashboard';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import type { SessionVisitor } from '../../../domain/access-rules/visitor.ts';
import type { SessionUse } from '../../../domain/sessions/session.ts';
import type { ActionInput, ActionName, ActionResult } from '../../../runtime/call.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import type { PageParts } from '../../shared/requests/page-parts.ts';

/** The streams with which the pages follow the changes of a site. */
export interface ChangeStreams {
  addTo(api: FastifyInstance, parts: DashboardApiParts): void;
  /** Called when a session has ended in this process: its streams end without delay. */
  checkSoon(): void;
}

/** The site whose pages the built-in server has. */
export interface BuiltInSite {
  readonly slug: string;
  /** Whether the pages are files; otherwise a program makes them. */
  readonly isFolder: boolean;
}

/** The mail server of the installation, without its credentials. */
export interface MailServer {
  /** The email address of the sender. */
  readonly from: string;
  /** With the port if one is set. */
  readonly host: string;
}

export interface DashboardApiParts extends PageParts {
  /** The hidden site whose members are the operators. */
  readonly tenant: Site;
  /** Called when a session is used for the first time in a while. */
  readonly onSeen: (siteId: string, use: SessionUse) => void;
  readonly version: string;
  /** Undefined if it is unknown. */
  readonly commit: string | undefined;
  readonly builtInSite: BuiltInSite | undefined;
  /** Undefined if none is configured. */
  readonly mailServer: MailServer | undefined;
  readonly siteChanges: ChangeStreams;
}

/** A request to the dashboard's own API. Login and logout operations read and set its cookies. */
export interface DashboardContext {
  readonly parts: DashboardApiParts;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request of a logged-in operator. */
export interface OperatorContext extends DashboardContext {
  readonly operator: SessionVisitor;
}

/** Implements an operation of the dashboard's own API. @throws {ApiError} */
export type DashboardHandler<O extends DashboardOperation> = (
  context: O extends { loggedOut: true } ? DashboardContext : OperatorContext,
  input: Input<O>,
) => Promise<Output<O>>;

export type DashboardHandlers<Id extends DashboardOperationId> = {
  readonly [K in Id]: DashboardHandler<DashboardOperations[K]>;
};

/**
 * Runs an action in one transaction.
 * @param siteId the site that it changes; by default the operator tenant
 * @throws {ApiError} as the action does
 */
export async function runAction<Name extends ActionName>(
  { parts, request, reply }: DashboardContext,
  action: Name,
  input: ActionInput<Name>,
  siteId?: string,
): Promise<ActionResult<Name>> {
  const response = await attempt(parts, request, action, input, undefined, siteId);
  if (response.kind === 'success') return response.result;
  reply.headers(response.headers);
  throw new ApiError(response.code, response.message, response.details);
}
