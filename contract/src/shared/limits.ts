// Limits that the service shares with its callers. They need no schema, so that browser pages and the service's
// threads can import them alone.

/** Items on a page of a list. */
export const maxPageSize = 100;
/** Items on a page if a request sets no `limit`. */
export const defaultPageSize = 50;
/** Members in one bulk request. */
export const maxBulkMembers = 500;
/** Email addresses and ids of one `POST /members/lookup`, in all. */
export const maxLookedUpMembers = 500;
/** People in one part of an uploaded list. */
export const maxListPartPeople = 1_000;
/** Access groups that one request may name. */
export const maxAccessGroupIds = 100;
/** Code points of a search text. */
export const maxQueryLength = 200;

/** Saved views of one operator on one site. */
export const maxSavedViews = 50;
/** Characters of the query of a saved view. */
export const maxSavedSearchLength = 1_000;

/** Code points in the name of a group, a key, a passkey or a site. */
export const maxNameLength = 100;
export const maxDisplayNameLength = 200;
export const maxGroupDescriptionLength = 500;
/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const maxEmailLength = 254;
/** Characters of what a mail server said about an email. */
export const maxMailServerReplyLength = 300;
/** RFC 1035, section 2.3.4, without the trailing dot. */
export const maxDomainLength = 253;
/** The slug of a site is a label of a domain (RFC 1035, section 2.3.4). */
export const maxSlugLength = 63;
export const maxSignUpDomains = 100;
export const maxSiteHosts = 20;
/** Characters of a link on the pages of a site, as it is stored. */
export const maxSiteLinkLength = 500;
/** The highest limit of sessions that a member may have at the same time. */
export const maxSessionLimit = 1_000;
export const maxLogoBytes = 128 * 1024;
/** Code points in the greeting of emails of a site. */
export const maxGreetingLength = 100;
/** Code points in another text of a site in its emails. */
export const maxEmailTextLength = 500;
/** Events in one group of events. The events of a larger request are split into several groups. */
export const maxEventsInGroup = 10_000;
/** Open streams of the events of a site, at one process. */
export const maxStreamsOfSite = 100;
/** Those of one key or operator, so that none takes the streams of all others. */
export const maxStreamsOfKey = 25;
/** The streams of one operator's browsers, one for each browser and site. */
export const maxStreamsOfOperator = 20;
/** Values in one filter of a stream. */
export const maxStreamFilterItems = 50;
/** Webhooks of a site that are enabled. */
export const maxEnabledWebhooks = 10;
/** Events that a webhook receives at the same time. */
export const maxWebhookParallelism = 20;
export const maxWebhookDescriptionLength = 200;
/** Webhooks with failures in the overview of a site. */
export const maxFailingWebhooks = 20;
/** Days for which the attempts of webhooks are stored. */
export const webhookDeliveryDays = 7;
/** Access tokens of a member that have not expired. */
export const maxAccessTokens = 20;
/** Passkeys of a member or an operator. */
export const maxPasskeys = 20;
/** Days that the overview can cover, today included. */
export const overviewDays = [7, 30, 90] as const;
/** Days that the overview covers if a request sets none. */
export const defaultOverviewDays = 30;
/** Failed emails in the overview of a site, and the days for which they are in it. */
export const maxFailedEmails = 5;
export const failedEmailDays = 7;
/** Sources in the overview of a site that wait for a person. */
export const maxWaitingSources = 20;
/** Days before its end in which a membership ends soon. */
export const endsSoonDays = 14;
/** Minutes for which a source accepts the token of the webhook of its workspace, after an operator has requested it. */
export const sourceWebhookMinutes = 15;
/** Minutes for which a login link works after its email has been sent. */
export const loginLinkLifetimeMinutes = 10;
/** Code points in the note of an invitation. */
export const maxInvitationNoteLength = 500;
/** People who can join with an invitation that has a limit. */
export const maxInvitationUses = 10_000;
export const maxInvitationDomains = 20;
export const defaultInvitationDays = 14;
export const maxInvitationDays = 366;
/** Days after which memberships expire that begin with an invitation. */
export const maxMembershipDays = 3_660;
/** Code points in the message of a request to join. */
export const maxJoinRequestMessageLength = 500;
/** Requests to join of a site that wait for a decision. */
export const maxPendingJoinRequests = 1_000;
/** Days for which a request to join waits, and after which one that was decided is deleted. */
export const joinRequestDays = 30;
export const maxPageCodes = 100;
export const maxPageCodeUses = 1_000_000;
/** Letters and digits that a page code needs which is not generated. */
export const minChosenCodeLength = 8;
export const maxLoginProviders = 20;
/** Accounts at login providers that one member can link. */
export const maxIdentities = 20;
/** Access groups that follow the claim of a login provider. */
export const maxGroupMappings = 100;
/** Characters of the secret of a login provider, which may be a private key. */
export const maxRawSecretLength = 4_000;
/** Requests in 60 s: the highest rate limit of a key. */
export const maxRateLimit = 1_000_000_000;
/** Bytes of a list at a URL, after decompression. */
export const maxListBytes = 50 * 1024 * 1024;
/** Rows of a list that Gatehouse reads, empty ones included. */
export const maxListRows = 1_000_000;
/** Rows of a file that is imported in the dashboard, which keeps all of them in memory. */
export const maxImportedFileRows = 300_000;
/** Cells in a row of a list. */
export const maxListCells = 1_000;
/** Characters in a cell of a list; spreadsheets allow up to 50,000. */
export const maxListCellLength = 100_000;
/** Characters in a row of a list. */
export const maxListRowLength = 1_000_000;
/** Page checks of a key or an operator in a minute. */
export const maxPageChecks = 10;
/** Bytes of a page and its style sheets, after decompression. */
export const maxPageCheckBytes = 1024 * 1024;
/** Requests for a page and its style sheets, redirects included. */
export const maxPageCheckRequests = 20;
/** Files in the result of a page check. */
export const maxPageFiles = 200;
