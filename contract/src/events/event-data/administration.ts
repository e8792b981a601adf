import { Type } from 'typebox';
import { permissions } from '../../credentials/permissions.ts';
import { SigningKey } from '../../credentials/signing-keys.ts';
import { dateTime, exampleIds, nullable, openEnumeration, text, uuid } from '../../shared/schemas.ts';
import { Operator } from '../../sites/operators.ts';
import { Change, data } from './shared.ts';

const keyId = uuid('The API key.', exampleIds.key);
const keyCreated = data('KeyCreatedData', {
  keyId,
  name: text('The name of the key.', 'Shop'),
  permissions: Type.Array(openEnumeration(permissions, 'A permission.', 'members:read'), {
    description: 'The permissions of the key.',
  }),
  expiresAt: nullable(dateTime('When the key expires; null if it does not.', '2031-01-31T09:30:00.000Z')),
});
const keyRotated = data('KeyRotatedData', {
  keyId,
  replacedBy: uuid('The key that replaces it.', '01980a30-0f51-7e3c-b2a4-5d6e7f809102'),
  expiresAt: dateTime('Until when the old key works.', '2026-02-01T09:30:00.000Z'),
});
const keyRevoked = data('KeyRevokedData', { keyId });
const operatorId = uuid('The operator.', exampleIds.operator);
const operatorInvited = data('OperatorInvitedData', {
  operator: Type.Object(
    {
      id: Operator.properties.id,
      email: nullable(Operator.properties.email),
      displayName: Operator.properties.displayName,
      role: Operator.properties.role,
    },
    {
      description:
        'The operator as invited. Email address and name are null after the operator has been removed.',
    },
  ),
});
const operatorUpdated = data('OperatorUpdatedData', {
  operatorId,
  changes: Type.Array(Change, {
    description: 'The change of `role`, `displayName` or `passkeys` (the number of passkeys).',
    examples: [[{ field: 'role', from: 'viewer', to: 'admin' }]],
  }),
});
const operatorRemoved = data('OperatorRemovedData', { operatorId });
const operatorLogin = data('OperatorLoginData', { operatorId });
const signingKeyCreated = data('SigningKeyCreatedData', {
  signingKeyId: SigningKey.properties.id,
  signsFrom: SigningKey.properties.signsFrom,
  withdrawnKeyIds: Type.Array(SigningKey.properties.id, {
    description: 'The keys that are no longer published since then.',
    examples: [[]],
  }),
});

/** The data of events about API keys, signing keys and operators, by event type. */
export const administrationEvents = {
  'api-key.created': keyCreated,
  'api-key.rotated': keyRotated,
  'api-key.revoked': keyRevoked,
  'signing-key.created': signingKeyCreated,
  'operator.invited': operatorInvited,
  'operator.updated': operatorUpdated,
  'operator.removed': operatorRemoved,
  'operator.login': operatorLogin,
};
