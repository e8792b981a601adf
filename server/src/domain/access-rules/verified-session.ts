import type {
  AccessDecision,
  MemberWithGroups,
  Session,
  Site,
  VerifiedSession,
  VerifySession,
} from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { idsOf } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { findMember } from '../members/members.ts';
import type { EnteredPageCode } from '../page-codes/page-code.ts';
import { findEnteredCodes, passDomainOf } from '../page-codes/page-passes.ts';
import type { StoredSession } from '../sessions/session.ts';
import { findSession } from '../sessions/sessions.ts';
import type { TokenSigner } from '../signing-keys/token-signer.ts';
import { checkReferer } from '../sites/next-path.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { atNamedHost, furtherHostOf, hostOf, type VisitedSite } from '../sites/visited-site.ts';
import { findAccessTrees } from './access-rules.ts';
import type { VisitorState } from './decision/access-conditions.ts';
import { decide, mayHelpToEnterCode } from './decision/access-decision.ts';
import { treeAt } from './decision/access-trees.ts';
import { signEdgeToken } from './edge-token.ts';
import { EnteredCodes } from './entered-codes.ts';
import { toPageRequest } from './page-request.ts';
import { noWaysIn, type WaysIn, wayInUrl, waysIn } from './way-in.ts';

/**
 * Identifies a visitor, for programs that serve the pages of a site themselves.
 * @throws {ApiError} `invalid_request`
 */
export async function verifySession(
  view: SiteView,
  { token: sent = null, pagePass = null, path, host, referer, edgeToken = false, ...about }: VerifySession,
  signer: TokenSigner,
): Promise<VerifiedSession> {
  const { now } = view;
  const site = atNamedHost(await findSite(view), host, '/host');
  const token = about.preflight ? null : sent;
  const session = await findSession(view, token, furtherHostOf(site));
  const found = session && (await findMember(view, session.memberId).catch(unlessDeleted));
  const member = found?.status === 'active' ? found : null;
  const verified = { session: member ? shown(session!) : null, member };
  const wayBack = { path, referer, method: about.method };
  if (path === undefined) {
    return {
      ...verified,
      loginUrl: loginUrlFor(site, wayBack),
      ...noWaysIn,
      access: null,
      pageCode: null,
      edgeToken: null,
    };
  }
  const tree = treeAt(await findAccessTrees(view), hostOf(site));
  const request = toPageRequest(about, path, now, '');
  const { decision: access, pageCode } = await decideWithPass(
    view,
    { site, pass: about.preflight ? null : pagePass },
    (pageCodes) => decide(tree, { ...request, ...pageCodes }, stateOf(found), site.status),
  );
  const allowed = {
    site,
    tree,
    decision: access,
    method: request.method() ?? '',
    target: path,
    cookie: token,
    pass: pageCode && pagePass,
    memberId: member?.id,
  };
  return {
    ...verified,
    loginUrl: loginUrlFor(site, wayBack, access),
    ...waysInFor(site, wayBack, access, member !== null),
    access,
    pageCode,
    edgeToken: edgeToken ? await signEdgeToken(signer, allowed, now) : null,
  };
}

interface PassAtHost {
  readonly site: VisitedSite;
  readonly pass: string | null;
}

/** Decides without the pass of page codes, and again with it if that may help, as the gate does. */
async function decideWithPass(
  view: SiteView,
  { site, pass }: PassAtHost,
  decideWith: (entered: { readonly pageCodes?: EnteredCodes }) => AccessDecision,
): Promise<{ decision: AccessDecision; pageCode: EnteredPageCode | null }> {
  const without = { decision: decideWith({}), pageCode: null };
  if (pass === null || !mayHelpToEnterCode(without.decision)) return without;
  const pageCodes = new EnteredCodes(await findEnteredCodes(view, pass, passDomainOf(site)));
  const decision = decideWith({ pageCodes });
  return { decision, pageCode: decision.allowed ? (pageCodes.used ?? null) : null };
}

interface LoginReturn {
  readonly path: string | undefined;
  readonly referer: string | undefined;
  readonly method: string | undefined;
}

/** The page of the site for what is missing: a login, or a page code. */
function loginUrlFor(site: Site, from: LoginReturn, decision?: AccessDecision): string | null {
  if (site.domain === null) return null;
  return wayInUrl(site, { next: nextAfter(site, from), isUnsent: !isPage(from) }, decision);
}

function waysInFor(site: Site, from: LoginReturn, decision: AccessDecision, isMember: boolean): WaysIn {
  return site.domain === null ? noWaysIn : waysIn(site, nextAfter(site, from), decision, isMember);
}

/** The target of a form is no page to return to. */
function nextAfter(site: Site, from: LoginReturn): string | undefined {
  return isPage(from) ? from.path : checkReferer(from.referer, originOf(site)!);
}

function isPage({ method = 'GET' }: LoginReturn): boolean {
  return method === 'GET' || method === 'HEAD';
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

function shown({ endsAt, ...session }: StoredSession): Session {
  return session;
}
