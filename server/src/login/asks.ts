import type { Site } from '@gatehouse/contract';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { type LoginLinkRow, loginLinkLifetimeMinutes } from '../credentials/login-link.ts';
import {
  answerAsk,
  deleteLinksBefore,
  insertLoginLink,
  selectAsks,
  takeLoginLink,
  wasAskedAgain,
} from '../credentials/login-link-store.ts';
import { generateToken, hashToken } from '../credentials/token.ts';
import { queueMail, withdrawMailsOfLinks } from '../mail/mails.ts';
import { lockMemberByEmail } from '../members/member-store.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Transaction } from '../storage/database.ts';
import { hashCode } from './code.ts';
import { loginMail } from './login-mail.ts';
import { mayEnrol } from './sign-up.ts';

export interface Ask {
  /** An address in its one form. */
  readonly email: string;
  /** What the browser that asks will be known by. */
  readonly browserToken: string;
  readonly code: string;
  /** A path of the site. */
  readonly next: string;
  readonly language: string;
}

/**
 * Takes down that somebody asks for a login link. It is the same one row for a member and a stranger, so that nobody
 * learns from the time it takes who is a member; `answerAsks` goes on from there.
 */
export async function askForLoginLink(
  tx: Transaction,
  siteId: string,
  { email, browserToken, code, next, language }: Ask,
  at: Timestamp,
): Promise<void> {
  await insertLoginLink(tx, siteId, {
    id: newId(),
    email,
    member_id: null,
    token_hash: null,
    browser_hash: hashToken(browserToken),
    code,
    code_hash: hashCode(code, browserToken),
    tries: 0,
    next_path: next,
    language,
    state: 'asked',
    created_at: at,
    expires_at: linkEnd(at),
  });
}

/** Answers a few asks: those who may come in get a mail, and the others' asks are left as they are. Gives how many. */
export async function answerAsks(
  tx: Transaction,
  siteId: string,
  limit: number,
  at: Timestamp,
): Promise<number> {
  const asks = await selectAsks(tx, siteId, limit);
  if (asks.length === 0) return 0;
  const site = await findSite(tx, siteId);
  for (const ask of asks) await answer(tx, site, ask, at);
  return asks.length;
}

export function linkEnd(at: Timestamp): Timestamp {
  return timestampBefore(at, -loginLinkLifetimeMinutes * 60_000);
}

async function answer(tx: Transaction, site: Site, ask: LoginLinkRow, at: Timestamp): Promise<void> {
  if (await wasAskedAgain(tx, site.id, ask)) {
    await takeLoginLink(tx, site.id, ask.id);
    return;
  }
  // The member first: that is the order of locks everywhere.
  const member = await lockMemberByEmail(tx, site.id, ask.email);
  await withdrawMailsOfLinks(tx, site.id, await deleteLinksBefore(tx, site.id, ask.email, ask.id));
  const origin = originOf(site);
  const mayComeIn = member ? member.status === 'active' : mayEnrol(site, ask.email);
  if (!mayComeIn || origin === null || ask.expires_at <= at) {
    await answerAsk(tx, site.id, ask.id, null, null);
    return;
  }
  const token = generateToken();
  await answerAsk(tx, site.id, ask.id, member?.id ?? null, hashToken(token));
  await queueLoginMail(tx, site, ask, member?.id ?? null, token, at);
}

/** Queues the mail of a link that goes to its address. */
export async function queueLoginMail(
  tx: Transaction,
  site: Site,
  link: Pick<LoginLinkRow, 'id' | 'email' | 'code' | 'language'>,
  memberId: string | null,
  token: string,
  at: Timestamp,
): Promise<void> {
  const origin = originOf(site)!;
  const mail = loginMail(
    { site, language: link.language },
    {
      url: linkUrl(origin, token),
      code: link.code,
      minutes: loginLinkLifetimeMinutes,
      email: link.email,
      origin,
    },
  );
  await queueMail(
    tx,
    site.id,
    {
      kind: 'login_link',
      recipient: link.email,
      memberId,
      loginLinkId: link.id,
      content: { fromName: site.title, ...mail },
    },
    at,
  );
}

export function linkUrl(origin: string, token: string): string {
  return `${origin}/_gatehouse/link/${token}`;
}
