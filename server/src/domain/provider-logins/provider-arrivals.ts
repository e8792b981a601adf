import type { Member } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { findOwner, markIdentityUsed } from '../identities/identities.ts';
import { findEnabledProvider } from '../login-providers/enabled-providers.ts';
import type { StoredLoginProvider } from '../login-providers/login-provider.ts';
import type { ProviderAccount } from '../login-providers/provider-account.ts';
import { arrive } from '../logins/arrivals.ts';
import { completeLogin, type JoinOutcome, type LoginBrowser, type SuccessfulLogin } from '../logins/login.ts';
import { requestLoginLink } from '../logins/login-requests.ts';
import { notifyOfPasskey } from '../logins/passkey-notices.ts';
import { removeUnprovenWaysIn } from '../logins/unproven-ways-in.ts';
import { lockMember, lockMemberByEmail } from '../members/member-lookup.ts';
import { findSession } from '../sessions/sessions.ts';
import { hashToken } from '../sessions/token.ts';
import { findPrimarySite } from '../sites/visited-hosts.ts';
import { followGroups } from './group-claims.ts';
import { linkAccount, notifyOfAccount } from './linked-account.ts';
import { insertPendingIdentity } from './pending-identity-store.ts';
import { pendingIdentityEnd } from './provider-login.ts';
import type { TakenProviderLogin } from './provider-logins.ts';

/** Somebody who comes back from a provider. */
export interface ProviderArrival {
  readonly taken: TakenProviderLogin;
  /** With which they have logged in there. */
  readonly account: ProviderAccount;
  readonly browser: LoginBrowser;
  /** For the login email that is requested if the provider does not vouch for the address. */
  readonly email: {
    /** A new token that will identify the browser. */
    readonly browserToken: string;
    readonly code: string;
    /** The URL of the site. */
    readonly origin: string;
  };
}

export type ProviderLoginOutcome =
  | SuccessfulLogin
  | JoinOutcome
  /** The ordinary login email was requested. Nothing says whether the address is that of a member. */
  | { readonly outcome: 'email_sent'; readonly email: string }
  /** The member of the session can log in with the account from now on. */
  | { readonly outcome: 'linked' }
  /** The account was linked to the member of the session before. */
  | { readonly outcome: 'unchanged' }
  /** For whatever reason, which nothing tells: nobody may log in with the account, or it is linked to somebody else. */
  | { readonly outcome: 'refused' };

const refused = { outcome: 'refused' } as const;

/**
 * Logs in the owner of an account, or links it to the member of the session that began. An account that is linked is
 * that of its member, whatever addresses it has by now. Another one belongs to the member with its email address if the
 * provider vouches for that; otherwise the address has to prove itself by the ordinary login email.
 */
export async function logInWithProvider(
  change: Change,
  arrival: ProviderArrival,
  composer: EmailComposer,
): Promise<ProviderLoginOutcome> {
  const { taken, account } = arrival;
  // It may have been changed while the provider was asked.
  const provider = await findEnabledProvider(change, taken.providerId);
  if (!provider || provider.issuer !== account.issuer) return refused;
  const login = new AccountLogin(change, provider, arrival, composer);
  if (taken.memberId !== null) return login.linkToSession(taken.memberId);
  const owner = await findOwner(change, account);
  if (owner) return login.logInOwner(await lockMember(change, owner.memberId));
  const email = account.email === null ? null : normalizeEmail(account.email);
  if (email === null) return refused;
  return account.emailVerified ? login.logInByAddress(email) : login.requestEmail(email);
}

class AccountLogin {
  readonly #change: Change;
  readonly #provider: StoredLoginProvider;
  readonly #arrival: ProviderArrival;
  readonly #composer: EmailComposer;

  constructor(
    change: Change,
    provider: StoredLoginProvider,
    arrival: ProviderArrival,
    composer: EmailComposer,
  ) {
    this.#change = change;
    this.#provider = provider;
    this.#arrival = arrival;
    this.#composer = composer;
  }

  /** Links the account to the member who began, if the browser still has that session. */
  async linkToSession(memberId: string): Promise<ProviderLoginOutcome> {
    const { taken, account, browser } = this.#arrival;
    const member = await lockMember(this.#change, memberId);
    const session = await findSession(this.#change, browser.sessionToken);
    if (member?.status !== 'active' || session?.id !== taken.sessionId) return refused;
    const own = this.#change.as({ type: 'member', id: member.id, name: member.displayName });
    const linkable = { ...account, provenEmail: null, reason: 'account_page' } as const;
    const outcome = await linkAccount(own, member, this.#provider, linkable);
    if (outcome === 'taken' || outcome === 'full') return refused;
    if (outcome === 'linked')
      await notifyOfAccount(own, member, this.#provider, taken.language, this.#composer);
    return { outcome };
  }

  /** Logs in the member of the account, whose row is locked. */
  async logInOwner(member: Member | undefined): Promise<ProviderLoginOutcome> {
    if (member?.status !== 'active') return refused;
    // It may have been removed before the row of the member was locked.
    if (!(await markIdentityUsed(this.#change, this.#arrival.account, member.id))) return refused;
    return this.#arrive(member.email, member);
  }

  /** Logs in the member with an address for which the provider vouches, or lets its owner join. */
  async logInByAddress(email: string): Promise<ProviderLoginOutcome> {
    const known = await lockMemberByEmail(this.#change, email);
    const owner = await findOwner(this.#change, this.#arrival.account);
    // The same login, sent twice, has linked it meanwhile.
    if (owner) return owner.memberId === known?.id ? this.logInOwner(known) : refused;
    if (known?.status === 'active' && !known.verified) await this.#removeUnproven(known);
    return this.#arrive(email, known, email);
  }

  async #removeUnproven(member: Member): Promise<void> {
    const own = this.#change.as({ type: 'member', id: member.id, name: member.displayName });
    const site = await findPrimarySite(own);
    if (!(await removeUnprovenWaysIn(own, site, member))) return;
    const notice = { type: 'passkey_removed', name: null } as const;
    await notifyOfPasskey(own, site, member, notice, this.#arrival.taken.language, this.#composer);
  }

  /** @param provenEmail the address because of which the account is linked; null if it is already */
  async #arrive(
    email: string,
    known: Member | undefined,
    provenEmail: string | null = null,
  ): Promise<ProviderLoginOutcome> {
    const change = this.#change;
    const { taken, account, browser } = this.#arrival;
    const { next, language } = taken;
    const arrival = await arrive(change, { email, memberId: null, joining: null, next, language }, known);
    if ('outcome' in arrival) return arrival;
    const { member } = arrival;
    if (member?.status !== 'active') return refused;
    const own = change.as({ type: 'member', id: member.id, name: member.displayName });
    if (provenEmail !== null) {
      const linkable = { ...account, provenEmail, reason: 'verified_email' } as const;
      const outcome = await linkAccount(own, member, this.#provider, linkable);
      if (outcome === 'taken') return refused;
      if (outcome === 'linked') {
        await markIdentityUsed(change, account, member.id);
        // Somebody who has just become a member knows it.
        if (known) await notifyOfAccount(own, member, this.#provider, language, this.#composer);
      }
    }
    await followGroups(own, member, this.#provider, account);
    const { id, name } = this.#provider;
    const proof = { method: 'provider', next, provider: { id, name } } as const;
    const login = await completeLogin(change, member, proof, browser, this.#composer);
    return login.outcome === 'logged_in' ? login : refused;
  }

  /**
   * Requests the login email for an address, and lets this browser link the account once it is used here. It runs the
   * same statements whether the address is that of a member or not.
   */
  async requestEmail(email: string): Promise<ProviderLoginOutcome> {
    const { taken, account, email: requested } = this.#arrival;
    const { next, language } = taken;
    const { now } = this.#change;
    await requestLoginLink(this.#change, {
      ...requested,
      email,
      knownBrowserId: null,
      next,
      language,
      joining: null,
    });
    await insertPendingIdentity(this.#change, {
      browserHash: hashToken(requested.browserToken),
      providerId: taken.providerId,
      issuer: account.issuer,
      subject: account.subject,
      email,
      label: account.label,
      createdAt: now,
      expiresAt: pendingIdentityEnd(now),
    });
    return { outcome: 'email_sent', email };
  }
}
