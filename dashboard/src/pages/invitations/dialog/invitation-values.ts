import type { Invitation } from '@gatehouse/client';
import { defaultInvitationDays, maxInvitationDays } from '@gatehouse/contract/limits';
import { dayOf, endOfDay, lastDayOf } from '@gatehouse/contract/time-zones';

/** When memberships end: never, on a day, or some days after the person has joined. */
export type EndKind = 'none' | 'day' | 'days';

/** The fields that both a new invitation and one that is changed have. */
export interface InvitationValues {
  note: string;
  accessGroupIds: string[];
  end: EndKind;
  endDay: string;
  endDays: number | '';
  needsApproval: boolean;
  maxUses: number | '';
  emailDomains: string[];
  /** The last day on which people can join. */
  lastDay: string;
}

/** What the fields mean for the API. */
export interface InvitationFields {
  note: string;
  accessGroupIds: string[];
  membershipExpiresAt: string | null;
  membershipDays: number | null;
  needsApproval: boolean;
  maxUses: number | null;
  emailDomains: string[];
  expiresAt: string;
}

const millisecondsPerDay = 86_400_000;

export function newInvitation(timeZone: string, now: Date): InvitationValues {
  const lastMoment = new Date(now.getTime() + defaultInvitationDays * millisecondsPerDay);
  return {
    note: '',
    accessGroupIds: [],
    end: 'none',
    endDay: '',
    endDays: '',
    needsApproval: false,
    maxUses: '',
    emailDomains: [],
    lastDay: dayOf(lastMoment.toISOString(), timeZone),
  };
}

export function valuesOf(invitation: Invitation, timeZone: string): InvitationValues {
  const { membershipExpiresAt, membershipDays, maxUses, expiresAt } = invitation;
  return {
    note: invitation.note,
    accessGroupIds: [...invitation.accessGroupIds],
    end: endKindOf(invitation),
    endDay: membershipExpiresAt === null ? '' : dayIn(membershipExpiresAt, timeZone),
    endDays: membershipDays ?? '',
    needsApproval: invitation.needsApproval,
    maxUses: maxUses ?? '',
    emailDomains: [...invitation.emailDomains],
    lastDay: dayIn(expiresAt, timeZone),
  };
}

/**
 * The values of the form for the API. Ends that were not changed stay as exact as they are in `before`. Days were
 * checked to be possible.
 */
export function fieldsOf(values: InvitationValues, timeZone: string, before?: Invitation): InvitationFields {
  const { end, endDay, endDays, maxUses } = values;
  const hasEnd = values.accessGroupIds.length > 0;
  const keep = (at: string | null | undefined, day: string) =>
    at && dayIn(at, timeZone) === day ? at : (endOfDay(day, timeZone) ?? '');
  return {
    note: values.note.trim(),
    accessGroupIds: values.accessGroupIds,
    membershipExpiresAt: hasEnd && end === 'day' ? keep(before?.membershipExpiresAt, endDay) : null,
    membershipDays: hasEnd && end === 'days' && endDays !== '' ? endDays : null,
    needsApproval: values.needsApproval,
    maxUses: maxUses === '' ? null : maxUses,
    emailDomains: values.emailDomains,
    expiresAt: keep(before?.expiresAt, values.lastDay),
  };
}

function endKindOf({ membershipExpiresAt, membershipDays }: Invitation): EndKind {
  if (membershipExpiresAt !== null) return 'day';
  return membershipDays === null ? 'none' : 'days';
}

/** Whether people can join until the end of a day: one from today on, at most a year from now. */
export function isLastDay(day: string, timeZone: string, now: Date): boolean {
  const end = endOfDay(day, timeZone);
  if (end === undefined) return false;
  const milliseconds = Date.parse(end) - now.getTime();
  return milliseconds > 0 && milliseconds <= maxInvitationDays * millisecondsPerDay;
}

/** The last day before an end, or the day of an end that is within a day. */
function dayIn(at: string, timeZone: string): string {
  return lastDayOf(at, timeZone) ?? dayOf(at, timeZone);
}
