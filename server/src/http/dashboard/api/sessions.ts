import { listSessions } from '../../../domain/sessions/sessions.ts';
import { clearSiteData } from '../../shared/login/log-out.ts';
import { deviceCookieOf, sessionTokenOf, setCookie } from '../../shared/requests/page-request.ts';
import { type DashboardContext, type DashboardHandlers, runAction } from './dashboard-handler.ts';

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
    await runAction(context, 'endSession', {
      sessionToken: sessionTokenOf(context.request),
      furtherHost: null,
      sessionId,
    });
    context.parts.siteChanges.checkSoon();
    if (sessionId === context.operator.session.id) await clearSession(context);
  },

  logOut: async (context, { body }) => {
    const { request } = context;
    const deviceCookie = deviceCookieOf(request) ?? null;
    const sessionToken = sessionTokenOf(request);
    if (body.everywhere) await runAction(context, 'endAllSessions', { sessionToken, deviceCookie });
    else await runAction(context, 'endSession', { sessionToken, furtherHost: null, sessionId: null });
    context.parts.siteChanges.checkSoon();
    await clearSession(context);
  },
};

async function clearSession({ parts, request, reply }: DashboardContext): Promise<void> {
  setCookie(reply, 'session', parts.tenant, null, 0);
  await clearSiteData(parts, request, reply);
}
