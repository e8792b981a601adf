import type { Static } from 'typebox';
import { errorHelp, errorStatus } from '../shared/error-codes.ts';
import { commonErrorCodes, errorBodyWith } from '../shared/errors.ts';

/** Every error code of the service: those of the public API, and those of the dashboard API. */
export const dashboardErrorStatus = {
  ...errorStatus,
  logged_out: 401,
  saved_view_not_found: 404,
  other_operator: 409,
  saved_view_name_taken: 409,
  too_many_saved_views: 409,
} as const;

export type DashboardErrorCode = keyof typeof dashboardErrorStatus;

export const dashboardErrorCodes = Object.keys(dashboardErrorStatus) as DashboardErrorCode[];

/** The codes that no operation has to list, grouped by why an operation returns them. */
export const commonDashboardErrorCodes = {
  everyOperation: [...commonErrorCodes.everyOperation, 'other_operator'],
  /** Every operation except those for logging in. */
  withSession: ['logged_out', 'passkey_required'],
  /** Every operation except GET: a page of another site may have sent the request. */
  changing: ['permission_denied'],
  withBody: commonErrorCodes.withBody,
  /** Returned before the request reaches an operation. */
  beforeOperation: commonErrorCodes.beforeOperation,
} as const satisfies Record<string, readonly DashboardErrorCode[]>;

/** What each code means in the dashboard and what to do next. */
export const dashboardErrorHelp: Readonly<Record<DashboardErrorCode, string>> = {
  ...errorHelp,
  permission_denied:
    'The request was sent by a page of another site, or the operator lacks the permission. Use the dashboard itself, ' +
    'or ask an owner of the site.',
  logged_out: 'The session of the operator is missing or has ended. Log in, then send the request again.',
  saved_view_not_found: 'The operator has no saved view with this ID. Check the ID.',
  saved_view_name_taken:
    'The operator has another saved view with this name on the site. Choose another name.',
  too_many_saved_views:
    'The operator has the maximum number of saved views on the site. Delete one that is no longer used.',
  other_operator: 'Someone else has logged in to the dashboard in this browser. Reload the page.',
};

/** The body of every response with a status of 400 and above. */
export const DashboardErrorBody = errorBodyWith(dashboardErrorCodes);
export type DashboardErrorBody = Static<typeof DashboardErrorBody>;
