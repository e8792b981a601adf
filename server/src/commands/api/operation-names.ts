import type { OperationId, OperationShape } from '@gatehouse/contract';

/** Commands that are not named by their path and the first word of their operation. */
const named: Partial<Record<OperationId, string>> = {
  bulkCreateMembers: 'members bulk-create',
  bulkUpdateMembers: 'members bulk-update',
  bulkMemberActions: 'members bulk-action',
  lookUpMembers: 'members look-up',
  bulkCreateInvitations: 'invitations bulk-create',
  revokeMemberSessions: 'members sessions revoke-all',
  revokeSessions: 'sessions revoke-all',
  deleteMemberPasskeys: 'members passkeys delete-all',
  deleteMemberIdentities: 'members identities delete-all',
  uploadCollectionPeople: 'sources collections upload',
  replaceAccessRules: 'access-rules set',
  checkAccess: 'access-rules check',
  checkPage: 'access-rules check-page',
  rotateWebhookSecret: 'webhooks rotate-secret',
  getOpenApi: 'openapi get',
};

/**
 * The words of the command of an operation: the static parts of its path, and a verb. `POST /members/{memberId}/block`,
 * `blockMember`, is `members block`.
 */
export function commandOf({ id, path }: Pick<OperationShape, 'id' | 'path'>): readonly string[] {
  const name = named[id as OperationId];
  if (name !== undefined) return name.split(' ');
  const verb = /^[a-z]+/.exec(id)![0];
  const nouns = path.split('/').filter((segment) => /^[\w-]+$/.test(segment));
  return nouns.at(-1) === verb ? nouns : [...nouns, verb];
}

/** `overlapHours` as `overlap-hours`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name of a path parameter in the usage: `memberId` as `member`. */
export function argumentName(parameter: string): string {
  return kebab(parameter.replace(/(?:Id|Key)$/, ''));
}
