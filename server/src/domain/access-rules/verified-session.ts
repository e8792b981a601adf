import type { MemberWithGroups, Site, VerifiedSession, VerifySession } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { idsOf } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { findMember } from '../members/members.ts';
import { findSession } from '../sessions/sessions.ts';
import type { TokenSigner } from '../signing-keys/token-signer.ts';
import { loginUrl, loginUrlAfterForm } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { atNamedHost, furtherHostOf, hostOf } from '../sites/visited-site.ts';
import { findAccessTrees } from './access-rules.ts';
import type { VisitorState } from './decision/access-conditions.ts';
import { decide } from './decision/access-decision.ts';
import { treeAt } from './decision/access-trees.ts';
import { signEdgeToken } from './edge-token.ts';
import { toPageRequest } from './page-request.ts';

/**
 * Identifies a visitor, for programs that serve the pages of a site themselves.
 * @throws {ApiError} `invalid_request`
 */
export async function verifySession(
  view: SiteView,
  { token: sent = null, path, host, referer, edgeToken = false, ...about }: VerifySession,
  signer: TokenSigner,
): Promise<VerifiedSession> {
  const { now } = view;
  const site = atNamedHost(await findSite(view), host, '/host');
  const token = about.preflight ? null : sent;
  const session = await findSession(view, token, furtherHostOf(site));
  const found = session && (await findMember(view, session.memberId).catch(unlessDeleted));
  const member = found?.status === 'active' ? found : null;
  const verified = {
    session: member ? session! : null,
    member,
    loginUrl: site.domain === null ? null : loginUrlFor(site, { path, referer, method: about.method }),
  };
  if (path === undefined) return { ...verified, access: null, pageCode: null, edgeToken: null };
  const tree = treeAt(await findAccessTrees(view), hostOf(site));
  const request = toPageRequest(about, path, now, '');
  const access = decide(tree, request, stateOf(found), site.status);
  const allowed = {
    site,
    tree,
    decision: access,
    method: request.method() ?? '',
    target: path,
    cookie: token,
    memberId: member?.id,
  };
  return {
    ...verified,
    access,
    pageCode: null,
    edgeToken: edgeToken ? await signEdgeToken(signer, allowed, now) : null,
  };
}

interface LoginReturn {
  readonly path: string | undefined;
  readonly referer: string | undefined;
  readonly method: string | undefined;
}

/** The target of a form is no page to return to. */
function loginUrlFor(site: Site, { path, referer, method = 'GET' }: LoginReturn): string {
  return method === 'GET' || method === 'HEAD' ? loginUrl(site, path) : loginUrlAfterForm(site, referer);
}

function stateOf(member: MemberWithGroups | undefined): VisitorState | null {
  if (!member) return null;
  const { status, paid, accessGroups } = member;
  return { status, paid: paid === true, groupIds: idsOf(accessGroups) };
}

/** If the member was deleted after the session was found, the visitor is anonymous. */
function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'member_not_found')) throw error;
}
