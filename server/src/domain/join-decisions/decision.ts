import type { JoinRequestDecision } from '@gatehouse/contract';
import type { Change } from '../events/change.ts';
import { joinRequestNotFound, type StoredJoinRequest, statusOf } from '../join-requests/join-request.ts';
import { findJoinRequestsById } from '../join-requests/join-requests.ts';

type Failure = Extract<JoinRequestDecision, { status: 'conflict' | 'error' }>;
export type FailureCode = Failure['error']['code'];

const messages: Readonly<Record<FailureCode, string>> = {
  join_request_not_found: joinRequestNotFound().message,
  join_request_decided:
    'The request to join has been decided already, or has expired. Get it to see its status.',
  member_blocked: 'This member is blocked, and stays blocked. Unblock the member first.',
  invitation_used_up: 'The invitation of this person is used up. Raise its limit first.',
};

/** Requests to decide, and the results so far. */
export class Decisions {
  readonly #ids: readonly string[];
  readonly #requests: ReadonlyMap<string, StoredJoinRequest>;
  readonly #failures = new Map<string, FailureCode>();
  readonly #decided = new Map<string, string | null>();

  private constructor(change: Change, ids: readonly string[], requests: readonly StoredJoinRequest[]) {
    this.#ids = ids;
    this.#requests = new Map(requests.map((request) => [request.id, request]));
    for (const id of ids) if (!this.#requests.has(id)) this.fail(id, 'join_request_not_found');
    for (const request of requests)
      if (statusOf(request, change.now) !== 'pending') this.fail(request.id, 'join_request_decided');
  }

  static async begin(change: Change, joinRequestIds: readonly string[]): Promise<Decisions> {
    const ids = [...new Set(joinRequestIds.map((id) => id.toLowerCase()))];
    return new Decisions(change, ids, await findJoinRequestsById(change, ids));
  }

  /** The requests that can still be decided, in the given order. */
  get open(): StoredJoinRequest[] {
    const isOpen = (id: string) => !this.#failures.has(id) && !this.#decided.has(id);
    return this.#ids.filter(isOpen).map((id) => this.#requests.get(id)!);
  }

  fail(id: string, code: FailureCode): void {
    this.#failures.set(id, code);
  }

  /** @param memberId the member whom the decision is about; null for a person who is not one */
  decide(id: string, memberId: string | null): void {
    this.#decided.set(id, memberId);
  }

  /** The results in the given order. Whatever is still open has been decided by somebody else. */
  results(status: 'approved' | 'declined'): JoinRequestDecision[] {
    return this.#ids.map((joinRequestId): JoinRequestDecision => {
      const memberId = this.#decided.get(joinRequestId);
      if (memberId === undefined) return toFailure(joinRequestId, this.#failures.get(joinRequestId));
      // An approval always names the member.
      if (status === 'approved') return { joinRequestId, status, memberId: memberId! };
      return { joinRequestId, status };
    });
  }
}

function toFailure(joinRequestId: string, code: FailureCode = 'join_request_decided'): Failure {
  const status = code === 'join_request_decided' ? 'conflict' : 'error';
  return { joinRequestId, status, error: { code, message: messages[code] } };
}
