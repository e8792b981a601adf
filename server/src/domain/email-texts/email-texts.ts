import type { EmailTexts, Member, ReplaceEmailTexts } from '@gatehouse/contract';
import { invalidRequest, type Precondition } from '../../base/api-error.ts';
import { availableLanguages, textsOf } from '../../i18n/languages.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { EmailFrame } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { lockSite } from '../sites/sites.ts';
import { checkEmailTexts, describeEmailTexts, type StoredEmailTexts } from './email-text.ts';
import { deleteEmailTexts, saveEmailTexts, selectEmailTexts } from './email-text-store.ts';

/** The texts of a site in every language, those that it has not set included. */
export async function listEmailTexts(view: SiteData): Promise<EmailTexts[]> {
  const stored = await selectEmailTexts(view);
  return availableLanguages.map((language) => withDefaults(textsIn(stored, language)));
}

/** The texts of a site in one language. @throws {ApiError} `invalid_request` */
export async function findEmailTexts(view: SiteData, language: string): Promise<EmailTexts> {
  requireLanguage(language);
  return withDefaults(textsIn(await selectEmailTexts(view), language));
}

/** @throws {ApiError} `invalid_request` */
export async function replaceEmailTexts(
  change: Change,
  language: string,
  submitted: ReplaceEmailTexts,
  requireMatch: Precondition<EmailTexts>,
): Promise<EmailTexts> {
  requireLanguage(language);
  const after = checkEmailTexts(language, submitted);
  await lockSite(change);
  const before = textsIn(await selectEmailTexts(change), language);
  requireMatch(withDefaults(before));
  const [from, to] = [describeEmailTexts(before), describeEmailTexts(after)];
  if (from === to) return withDefaults(before);
  if (to === null) await deleteEmailTexts(change, language);
  else await saveEmailTexts(change, after);
  const changes = [{ field: 'emailTexts', from, to }];
  change.record({ type: 'site.updated', data: { siteId: change.siteId, changes } });
  return withDefaults(after);
}

/**
 * The frame of an email to a member. Anybody's email address can be entered as that of a member: only those who have been
 * at the site get its texts, and those who requested the email at the site, who are also welcomed before their first login.
 */
export type FrameForMember = (
  site: EmailFrame['site'],
  language: string,
  member: Pick<Member, 'verified' | 'lastLoginAt'>,
  occasion?: 'own_request',
) => EmailFrame;

/** Reads the texts of a site once for all emails of a transaction to its members. */
export async function framesForMembers(view: SiteData): Promise<FrameForMember> {
  const stored = await selectEmailTexts(view);
  return (site, language, { verified, lastLoginAt }, occasion) => {
    const isRequested = occasion === 'own_request';
    if (!isRequested && !verified && lastLoginAt === null) return { site, language };
    const { greeting, closing, welcome } = textsIn(stored, language);
    const welcomed = isRequested && lastLoginAt === null ? welcome : null;
    return { site, language, texts: { greeting, closing, welcome: welcomed } };
  };
}

function requireLanguage(language: string): void {
  if (availableLanguages.includes(language)) return;
  throw invalidRequest('/language', `language must be one of ${availableLanguages.join(', ')}.`);
}

function textsIn(stored: readonly StoredEmailTexts[], language: string): StoredEmailTexts {
  const none = { language, greeting: null, closing: null, welcome: null };
  return stored.find((texts) => texts.language === language) ?? none;
}

function withDefaults(texts: StoredEmailTexts): EmailTexts {
  return { ...texts, defaults: { greeting: textsOf(texts.language)['email.hello'] } };
}
