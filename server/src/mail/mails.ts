import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Transaction } from '../storage/database.ts';
import type { NewMail } from './mail.ts';
import {
  deleteMailsBefore,
  deleteMailsByMember,
  deleteMailsToStranger,
  eraseMailsBefore,
  insertMail,
  withdrawLinkMails,
  withdrawMails,
} from './mail-store.ts';

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

/** Forgets everything that was written to a member, also before he or she became one. */
export async function deleteMailsOfMember(
  tx: Transaction,
  siteId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await deleteMailsByMember(tx, siteId, id);
  await deleteMailsToStranger(tx, siteId, email);
}

/** Takes back the mails of links that are dead: they are not sent any more, nor kept to be read. */
export async function withdrawMailsOfLinks(
  tx: Transaction,
  siteId: string,
  loginLinkIds: readonly string[],
): Promise<void> {
  if (loginLinkIds.length > 0) await withdrawMails(tx, siteId, loginLinkIds);
}

/** Takes back the mails of every link of a site. */
export function withdrawMailsOfEveryLink(tx: Transaction, siteId: string): Promise<void> {
  return withdrawLinkMails(tx, siteId);
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
  return (
    erased + (await deleteMailsBefore(tx, siteId, timestampBefore(now, keptDays * millisecondsPerDay), limit))
  );
}
