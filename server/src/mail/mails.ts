import type { Mail, MailWithContent } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { type MailContent, type NewMail, toMail } from './mail.ts';
import {
  deleteMail,
  deleteMailsBefore,
  deleteMailsByMember,
  deleteMailsToAddresses,
  eraseMailsBefore,
  insertMail,
  type MailFilter,
  selectMail,
  selectMails,
  withdrawLinkMails,
  withdrawMails,
} from './mail-store.ts';

const listName = 'mails';
const keptDays = 30;
const readableDays = 1;

/** Puts a mail into the queue, in the transaction of what it tells of. Gives its id. */
export async function queueMail(
  tx: Transaction,
  siteId: string,
  mail: NewMail,
  at: Timestamp,
): Promise<string> {
  const id = newId();
  await insertMail(tx, siteId, id, mail, at);
  return id;
}

export interface MailQuery extends MailFilter {
  readonly after?: string;
  readonly limit: number;
}

/** Lists a site's mails, newest first. @throws Refusal `invalid_cursor` */
export async function listMails(
  db: Queries,
  siteId: string,
  { after, limit, ...filter }: MailQuery,
  now: Timestamp,
): Promise<Page<Mail>> {
  if (after !== undefined && !(await selectMail(db, siteId, after))) {
    await findDeparted(db, siteId, listName, after, now);
  }
  return toPage(await selectMails(db, siteId, filter, after, limit + 1), limit, toMail);
}

/** @throws Refusal `mail_not_found` */
export async function findMail(db: Queries, siteId: string, mailId: string): Promise<MailWithContent> {
  const row = await selectMail(db, siteId, mailId);
  if (!row) {
    throw new Refusal('mail_not_found', 'This site has no email with this id, or no longer. Check the id.');
  }
  const content: MailContent | null = row.content === null ? null : JSON.parse(row.content);
  return { ...toMail(row), text: content?.text ?? null, html: content?.html ?? null };
}

/** Forgets a mail that nobody is to get. */
export async function dropMail(
  tx: Transaction,
  siteId: string,
  mailId: string,
  at: Timestamp,
): Promise<void> {
  await deleteMail(tx, siteId, mailId);
  await rememberDeparted(tx, siteId, listName, [{ id: mailId }], at);
}

/**
 * Deletes everything that was written to some members, also before they became members. It waits for those that are
 * being sent, and they for their links: so call it before a link is locked.
 */
export async function deleteMailsOfMembers(
  tx: Transaction,
  siteId: string,
  members: readonly { readonly id: string; readonly email: string }[],
  at: Timestamp,
): Promise<void> {
  if (members.length === 0) return;
  const ids = members.map(({ id }) => id);
  const emails = members.map(({ email }) => email);
  const deleted = [
    ...(await deleteMailsByMember(tx, siteId, ids)),
    ...(await deleteMailsToAddresses(tx, siteId, emails)),
  ];
  await rememberDeparted(tx, siteId, listName, deleted, at);
}

/** Takes back the mails of links that are dead: they are not sent any more, nor kept to be read. */
export async function withdrawMailsOfLinks(
  tx: Transaction,
  siteId: string,
  loginLinkIds: readonly string[],
  at: Timestamp,
): Promise<void> {
  if (loginLinkIds.length === 0) return;
  await rememberDeparted(tx, siteId, listName, await withdrawMails(tx, siteId, loginLinkIds), at);
}

/** Takes back the mails of every link of a site. */
export async function withdrawMailsOfEveryLink(
  tx: Transaction,
  siteId: string,
  at: Timestamp,
): Promise<void> {
  await rememberDeparted(tx, siteId, listName, await withdrawLinkMails(tx, siteId), at);
}

/** Forgets a few mails past their time, and what those say that nobody has to read any more. Gives how many. */
export async function forgetMails(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const erased = await eraseMailsBefore(
    tx,
    siteId,
    timestampBefore(now, readableDays * millisecondsPerDay),
    limit,
  );
  const deleted = await deleteMailsBefore(
    tx,
    siteId,
    timestampBefore(now, keptDays * millisecondsPerDay),
    limit,
  );
  await rememberDeparted(tx, siteId, listName, deleted, now);
  return erased + deleted.length;
}
