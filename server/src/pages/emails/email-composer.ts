import type { EmailComposer } from '../../domain/emails/email-composer.ts';
import { accountLinkedEmail } from './account-linked-email.ts';
import { addressChangedEmail, addressCodeEmail } from './address-emails.ts';
import { invitationEmail } from './invitation-email.ts';
import { joinDecisionEmail } from './join-decision-email.ts';
import { joinRequestsEmail } from './join-requests-email.ts';
import { loginEmail } from './login-email.ts';
import { mailTestEmail } from './mail-test-email.ts';
import { memberInvitationEmail } from './member-invitation-email.ts';
import { operatorNoticeEmail } from './operator-notice-email.ts';
import { pageCodesPausedEmail } from './page-codes-paused-email.ts';
import { passkeyEmail } from './passkey-email.ts';
import { sessionLimitEmail } from './session-limit-email.ts';
import { webhookDisabledEmail } from './webhook-disabled-email.ts';

/** Composes Gatehouse's emails in the languages of its pages. */
export const emailComposer: EmailComposer = {
  loginEmail,
  invitationEmail,
  memberInvitationEmail,
  sessionLimitEmail,
  operatorNoticeEmail,
  pageCodesPausedEmail,
  webhookDisabledEmail,
  joinRequestsEmail,
  joinDecisionEmail,
  accountLinkedEmail,
  mailTestEmail,
  addressCodeEmail,
  addressChangedEmail,
  passkeyEmail,
};
