import { maxStreamsOfOperator, type OperatorRole } from '@gatehouse/contract';
import { type DashboardOperation, type SiteChanges, streamSiteChanges } from '@gatehouse/contract/dashboard';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalidRequest } from '../../../base/api-error.ts';
import { gauge, type Metric } from '../../../base/metrics/metric.ts';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { type FeedEvent, findStart } from '../../../domain/events/event-feed.ts';
import { findOperatorRole } from '../../../domain/operators/operator-tokens.ts';
import { loggedOut } from '../../../domain/sessions/session.ts';
import { compileShapeCheck } from '../../shared/json/validation.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { OpenStreams, type StreamReader, type StreamsParts } from '../../shared/streams/open-streams.ts';
import type { ChangeStreams, DashboardApiParts } from './dashboard-handler.ts';
import { requireOwnOrigin } from './operator-admission.ts';

/** Of all operators. Apart from the streams of programs, so that neither can take the places of the others. */
const maxStreams = 1_000;
/** With more, the pages fetch what they show of any member. */
const maxMemberIds = 100;

/** The open streams of dashboards in this process. */
export class SiteChangeStreams implements ChangeStreams {
  readonly #streams: OpenStreams;

  constructor(parts: StreamsParts) {
    this.#streams = new OpenStreams(parts, {
      ofOwners: {
        operator: {
          max: maxStreamsOfOperator,
          isFull: `You have the dashboard open in ${maxStreamsOfOperator} browsers or sites, the maximum. Close one of them.`,
        },
      },
      ofAll: {
        max: maxStreams,
        isFull: `The service has ${maxStreams} open dashboards, the maximum. Try again later.`,
      },
    });
  }

  metrics(): readonly Metric[] {
    const help = 'The streams with which dashboards follow changes.';
    return [gauge('gatehouse_dashboard_streams', help, this.#streams.count)];
  }

  checkSoon(): void {
    this.#streams.checkSoon();
  }

  /** Adds the route of the streams. The operator was already admitted. */
  addTo(api: FastifyInstance, parts: DashboardApiParts): void {
    const operation: DashboardOperation = streamSiteChanges;
    const checkShape = compileShapeCheck(operation);
    this.#streams.closeWith(api);
    api.route({
      method: 'GET',
      url: operation.path.replace('{siteId}', ':siteId'),
      config: { dashboardOperation: operation },
      handler: async (request, reply) => {
        const { params, query } = request;
        checkShape({ params, query, body: undefined });
        if (!request.raw.complete) throw invalidRequest('', 'The request has a body. Send it without one.');
        requireOwnOrigin(request);
        const { siteId } = params as { siteId: string };
        const role = await requireReader(parts, siteId, request.operator!.memberId);
        const cursor = await findStart({ db: parts.database, siteId }, (query as { after?: string }).after);
        return this.#streams.open(request, reply, readerOf(parts, request, siteId, role), cursor);
      },
    });
  }
}

function readerOf(
  parts: DashboardApiParts,
  request: FastifyRequest,
  siteId: string,
  role: OperatorRole,
): StreamReader {
  const { memberId } = request.operator!;
  const token = sessionTokenOf(request);
  return {
    siteId,
    owners: { operator: memberId },
    credential: `${siteId} ${token}`,
    textOf,
    check: async () => {
      const { database, tenant, clock } = parts;
      const operator = await findVisitor(
        { db: database, siteId: tenant.id, now: clock().toISOString() },
        token,
      );
      if (operator?.status !== 'active' || operator.memberId !== memberId) throw loggedOut();
      if ((await requireReader(parts, siteId, memberId)) !== role) throw mayNotRead();
    },
  };
}

/** The role of an operator who may read the events of a site. @throws {ApiError} `permission_denied` */
async function requireReader(
  { database, tenant }: DashboardApiParts,
  siteId: string,
  personId: string,
): Promise<OperatorRole> {
  const role = await findOperatorRole({ db: database, siteId }, tenant.id, personId);
  if (!grants(rolePermissions[role], 'events:read')) throw mayNotRead();
  return role;
}

function mayNotRead(): ApiError {
  return new ApiError(
    'permission_denied',
    'Your role does not have the permission events:read. Ask an owner.',
  );
}

/** One block for all events that were committed together: pages need to know what to fetch again, and no more. */
function textOf(events: readonly FeedEvent[]): string {
  const types = new Set(events.map(({ event }) => event.type));
  const members = new Set(events.map(memberIdOf));
  const isAboutMany = members.has(null) || members.size > maxMemberIds;
  const memberIds = isAboutMany ? null : [...members].filter((id) => typeof id === 'string');
  const changes: SiteChanges = { types: [...types], memberIds };
  return `id: ${events.at(-1)!.event.id}\ndata: ${JSON.stringify(changes)}\n\n`;
}

/** Undefined for an event that is about no member, null for one about all of them. */
function memberIdOf({ event: { data } }: FeedEvent): string | null | undefined {
  if ('member' in data) return data.member.id;
  return 'memberId' in data ? data.memberId : undefined;
}
