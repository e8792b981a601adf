import { invitationSecrets } from '../domain/invitations/invitation-secrets.ts';
import { loginProviderSecrets } from '../domain/login-providers/login-provider-secrets.ts';
import { pageCodeSecrets } from '../domain/page-codes/page-codes.ts';
import { signingKeySecrets } from '../domain/signing-keys/signing-key-secrets.ts';
import { sourceSecrets } from '../domain/sources/source/source-secrets.ts';
import { webhookSecrets } from '../domain/webhooks/webhook-secrets.ts';
import type { SealedTexts } from '../storage/sql/sealed-columns.ts';

/** Everything that is stored encrypted, so that it can be used later. */
export const everySealedText: readonly SealedTexts[] = [
  sourceSecrets,
  signingKeySecrets,
  webhookSecrets,
  invitationSecrets,
  pageCodeSecrets,
  loginProviderSecrets,
];
