import type { BulkErrorCode, BulkMember, BulkMemberUpdate, EventData, Member } from '@gatehouse/contract';
import { invalidEmailMessage, normalizeEmail } from '@gatehouse/contract/email-address';
import { displayNameProblem, normalizeDisplayName } from '@gatehouse/contract/names';
import { parseDateTime } from '@gatehouse/contract/times';
import { type ApiError, invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { newId, timeOfId } from '../../base/ids.ts';

/** The values that can be changed for many members at once, each to its own. */
export type ChangedValues = Pick<Member, 'displayName' | 'paid'>;

/** The fields that the event of an update lists, in this order. */
export const updatedFields = ['email', 'displayName', 'paid'] as const;

/** A new member whose values have been validated. */
export interface MemberDraft {
  readonly email: string;
  readonly displayName?: string | null | undefined;
  readonly paid?: boolean | undefined;
  /** When the member registered elsewhere before, in the past. Omitted for the current time. */
  readonly registeredAt?: Timestamp | undefined;
}

export function newMember({ email, displayName = null, paid = false, registeredAt }: MemberDraft): Member {
  const id = newId();
  const createdAt = timeOfId(id);
  return {
    id,
    email,
    displayName,
    status: 'active',
    verified: false,
    paid,
    registeredAt: registeredAt ?? createdAt,
    lastLoginAt: null,
    lastSeenAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

/** The fields of a member in events and look-ups. */
export function toSummary({ id, email, displayName, status, paid }: Member): MemberSummary {
  return { id, email, displayName, status, paid };
}

type MemberSummary = EventData['member.created']['member'];

/** Why a submitted value cannot be stored. It fails a request, or one item of a request with many. */
export class InvalidValue<Code extends BulkErrorCode = BulkErrorCode> {
  readonly code: Code;
  readonly message: string;
  readonly #field: keyof MemberDraft;

  constructor(field: keyof MemberDraft, code: Code, message: string) {
    this.code = code;
    this.message = message;
    this.#field = field;
  }

  toApiError(): ApiError {
    return invalidRequest(`/${this.#field}`, `${this.#field}: ${this.message}`);
  }
}

/** The values of a new member in the form in which they are stored, or the first one that cannot be. */
export function readDraft(submitted: BulkMember, now: Timestamp): MemberDraft | InvalidValue {
  const email = readEmail(submitted.email);
  if (email instanceof InvalidValue) return email;
  const displayName = readDisplayName(submitted.displayName ?? null);
  if (displayName instanceof InvalidValue) return displayName;
  const registeredAt = readRegisteredAt(submitted.registeredAt ?? null, now);
  if (registeredAt instanceof InvalidValue) return registeredAt;
  return { email, displayName, paid: submitted.paid ?? false, registeredAt };
}

/** @throws {ApiError} `invalid_request` */
export function requireValid<Value>(value: Value | InvalidValue): Value {
  if (value instanceof InvalidValue) throw value.toApiError();
  return value;
}

export function readEmail(text: string): string | InvalidValue<'invalid_email'> {
  return normalizeEmail(text) ?? new InvalidValue('email', 'invalid_email', invalidEmailMessage);
}

/** The values of a member after a change, or the first one that cannot be stored. A value that stays is not checked. */
export function readChanges(
  before: Member,
  { displayName: name = before.displayName, paid }: Omit<BulkMemberUpdate, 'id'>,
): ChangedValues | InvalidValue<'invalid_display_name'> {
  const displayName = name === before.displayName ? name : readDisplayName(name);
  if (displayName instanceof InvalidValue) return displayName;
  return { displayName, paid: paid ?? before.paid };
}

function readDisplayName(text: string | null): string | null | InvalidValue<'invalid_display_name'> {
  const name = normalizeDisplayName(text);
  if (name !== undefined) return name;
  return new InvalidValue('displayName', 'invalid_display_name', displayNameProblem(text)!);
}

/** A time that is not in the future; undefined if none is submitted. */
function readRegisteredAt(
  text: string | null,
  now: Timestamp,
): Timestamp | undefined | InvalidValue<'invalid_registered_at'> {
  if (text === null) return undefined;
  const time = parseDateTime(text);
  if (time !== undefined && time <= now) return time;
  return new InvalidValue('registeredAt', 'invalid_registered_at', invalidRegisteredAtMessage);
}

const invalidRegisteredAtMessage =
  'This time is in the future, before 1970, or not in RFC 3339. Use one such as 2026-01-31T09:30:00Z, or omit it.';
