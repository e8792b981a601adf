import type { Operator, OperatorRole } from '@gatehouse/contract';
import { hashToken, isToken } from '../credentials/token.ts';

/** How long the dashboard goes by one token before it asks for another. */
export const operatorTokenMinutes = 15;
const prefix = 'gateop_';

/** An operator of a site: the person is a member of the operators' realm. */
export interface OperatorRow {
  id: string;
  email: string;
  display_name: string | null;
  /** As whoever invited wrote it. */
  invited_name: string | null;
  /** That of the last time the operator came to the site. */
  session_id: string | null;
  last_login_at: string | null;
  role: OperatorRole;
  created_at: string;
}

/** An operator who speaks to the API for one site. */
export interface ActingOperator {
  readonly siteId: string;
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  /** The role as it is now. */
  readonly role: OperatorRole;
}

/** Until an operator has been at a site, its people learn no more than what they wrote themselves. */
export function toOperator(row: OperatorRow): Operator {
  const isInvited = row.last_login_at === null;
  return {
    id: row.id,
    email: row.email,
    displayName: isInvited ? row.invited_name : row.display_name,
    role: row.role,
    status: isInvited ? 'invited' : 'active',
    lastLoginAt: row.last_login_at,
    createdAt: row.created_at,
  };
}

/** What the feed calls an operator. */
export function operatorActor({ id, email, displayName }: Omit<ActingOperator, 'siteId' | 'role'>) {
  return { type: 'operator', id, name: displayName ?? email } as const;
}

export function toOperatorToken(token: string): string {
  return prefix + token;
}

/** What is stored of an operator's token; undefined for what cannot be one. */
export function hashOperatorToken(text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const token = text.slice(prefix.length);
  return isToken(token) ? hashToken(token) : undefined;
}
