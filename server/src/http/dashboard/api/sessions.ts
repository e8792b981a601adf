import { listSessions } from '../../../domain/sessions/sessions.ts';
import { clearSiteData } from '../../shared/login/log-out.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { deviceCookieOf, sessionTokenOf, setCookie } from '../../shared/requests/page-cookies.ts';
import type { DashboardContext, DashboardHandlers } from './dashboard-handler.ts';

const maxShownSessions = 100;

export const sessionHandlers: DashboardHandlers<'listOwnSessions' | 'endOwnSession' | 'logOut'> = {
  listOwnSessions: async ({ parts, operator: { memberId, session } }) => {
    const { database, tenant, clock } = parts;
    const query = { limit: maxShownSessions };
    const { data } = await listSessions(
      { db: database, siteId: tenant.id, now: clock().toISOString() },
      memberId,
      query,
    );
    return {
      data: data.map(({ id, createdAt, lastSeenAt, userAgent, ipAddress }) => ({
        id,
        createdAt,
        lastSeenAt,
        userAgent,
        ipAddress: ipAddress,
        current: id === session.id,
      })),
    };
  },

  endOwnSession: async (context, { params: { sessionId } }) => {
    await endSession(context, sessionId);
    context.parts.siteChanges.checkSoon();
    if (sessionId === context.operator.session.id) await clearSession(context);
  },

  logOut: async (context, { body }) => {
    if (body.everywhere) await endAllSessions(context);
    else await endSession(context, null);
    context.parts.siteChanges.checkSoon();
    await clearSession(context);
  },
};

/** Without an id, the session of the request. One that has ended is no error. */
async function endSession({ parts, request }: DashboardContext, sessionId: string | null): Promise<void> {
  const input = { sessionToken: sessionTokenOf(request), furtherHost: null, sessionId };
  await attempt(parts, request, 'endSession', input, ['logged_out', 'session_not_found']);
}

async function endAllSessions({ parts, request }: DashboardContext): Promise<void> {
  const input = { sessionToken: sessionTokenOf(request), deviceCookie: deviceCookieOf(request) ?? null };
  await attempt(parts, request, 'endAllSessions', input, ['logged_out']);
}

async function clearSession({ parts, request, reply }: DashboardContext): Promise<void> {
  setCookie(reply, 'session', parts.tenant, null, 0);
  await clearSiteData(parts, request, reply);
}
