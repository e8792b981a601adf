// Generated from the contract by `npm run api`. Do not edit.

/** Method and path of each operation. */
export const routes = {
  listMembers: 'GET /members',
  createMember: 'POST /members',
  getMember: 'GET /members/{memberId}',
  updateMember: 'PATCH /members/{memberId}',
  blockMember: 'POST /members/{memberId}/block',
  unblockMember: 'POST /members/{memberId}/unblock',
  deleteMember: 'DELETE /members/{memberId}',
  bulkCreateMembers: 'POST /members/bulk',
  bulkUpdateMembers: 'POST /members/bulk-updates',
  bulkMemberActions: 'POST /members/bulk-actions',
  lookUpMembers: 'POST /members/lookup',
  listAccessGroups: 'GET /access-groups',
  createAccessGroup: 'POST /access-groups',
  getAccessGroup: 'GET /access-groups/{groupId}',
  updateAccessGroup: 'PATCH /access-groups/{groupId}',
  deleteAccessGroup: 'DELETE /access-groups/{groupId}',
  listAccessGroupMembers: 'GET /access-groups/{groupId}/members',
  addAccessGroupMember: 'POST /access-groups/{groupId}/members',
  listMemberships: 'GET /access-groups/{groupId}/memberships',
  getMembership: 'GET /access-groups/{groupId}/members/{memberId}',
  updateMembership: 'PATCH /access-groups/{groupId}/members/{memberId}',
  removeAccessGroupMember: 'DELETE /access-groups/{groupId}/members/{memberId}',
  listInvitations: 'GET /invitations',
  createInvitation: 'POST /invitations',
  getInvitation: 'GET /invitations/{invitationId}',
  updateInvitation: 'PATCH /invitations/{invitationId}',
  revokeInvitation: 'DELETE /invitations/{invitationId}',
  sendInvitation: 'POST /invitations/{invitationId}/send',
  listInvitationRedemptions: 'GET /invitations/{invitationId}/redemptions',
  bulkCreateInvitations: 'POST /invitations/bulk',
  listJoinRequests: 'GET /join-requests',
  getJoinRequest: 'GET /join-requests/{joinRequestId}',
  decideJoinRequests: 'POST /join-requests/decide',
  listSources: 'GET /sources',
  createSource: 'POST /sources',
  getSource: 'GET /sources/{sourceId}',
  updateSource: 'PATCH /sources/{sourceId}',
  deleteSource: 'DELETE /sources/{sourceId}',
  listSourceCollections: 'GET /sources/{sourceId}/collections',
  previewSourceCollection: 'GET /sources/{sourceId}/collections/{collectionKey}/preview',
  uploadCollectionPeople: 'PUT /sources/{sourceId}/collections/{collectionKey}/people',
  listSourceRuns: 'GET /sources/{sourceId}/runs',
  getSourceRun: 'GET /sources/{sourceId}/runs/{runId}',
  syncSource: 'POST /sources/{sourceId}/sync',
  getSourceWebhook: 'GET /sources/{sourceId}/webhook',
  resetSourceWebhook: 'DELETE /sources/{sourceId}/webhook',
  listMemberSessions: 'GET /members/{memberId}/sessions',
  revokeMemberSessions: 'DELETE /members/{memberId}/sessions',
  revokeMemberSession: 'DELETE /members/{memberId}/sessions/{sessionId}',
  revokeSessions: 'DELETE /sessions',
  verifySession: 'POST /sessions/verify',
  createMemberLoginLink: 'POST /members/{memberId}/login-links',
  listAccessTokens: 'GET /members/{memberId}/access-tokens',
  createAccessToken: 'POST /members/{memberId}/access-tokens',
  deleteAccessToken: 'DELETE /members/{memberId}/access-tokens/{tokenId}',
  listMemberPasskeys: 'GET /members/{memberId}/passkeys',
  deleteMemberPasskeys: 'DELETE /members/{memberId}/passkeys',
  deleteMemberPasskey: 'DELETE /members/{memberId}/passkeys/{passkeyId}',
  getAccessRules: 'GET /access-rules',
  replaceAccessRules: 'PUT /access-rules',
  checkAccess: 'POST /access-checks',
  listMemberAccess: 'GET /members/{memberId}/access',
  checkPage: 'POST /page-checks',
  listLoginProviders: 'GET /login-providers',
  createLoginProvider: 'POST /login-providers',
  getLoginProvider: 'GET /login-providers/{providerId}',
  updateLoginProvider: 'PATCH /login-providers/{providerId}',
  testLoginProvider: 'POST /login-providers/{providerId}/test',
  deleteLoginProvider: 'DELETE /login-providers/{providerId}',
  listMemberIdentities: 'GET /members/{memberId}/identities',
  deleteMemberIdentities: 'DELETE /members/{memberId}/identities',
  deleteMemberIdentity: 'DELETE /members/{memberId}/identities/{identityId}',
  getLoginMethods: 'GET /login-methods',
  listPageCodes: 'GET /page-codes',
  createPageCode: 'POST /page-codes',
  getPageCode: 'GET /page-codes/{pageCodeId}',
  updatePageCode: 'PATCH /page-codes/{pageCodeId}',
  replacePageCode: 'POST /page-codes/{pageCodeId}/replace',
  deletePageCode: 'DELETE /page-codes/{pageCodeId}',
  getSite: 'GET /site',
  updateSite: 'PATCH /site',
  listSigningKeys: 'GET /site/signing-keys',
  rotateSigningKeys: 'POST /site/signing-keys',
  listApiKeys: 'GET /api-keys',
  createApiKey: 'POST /api-keys',
  rotateApiKey: 'POST /api-keys/{keyId}/rotate',
  revokeApiKey: 'DELETE /api-keys/{keyId}',
  listOperators: 'GET /operators',
  inviteOperator: 'POST /operators',
  updateOperator: 'PATCH /operators/{operatorId}',
  removeOperator: 'DELETE /operators/{operatorId}',
  listEmails: 'GET /emails',
  getEmail: 'GET /emails/{emailId}',
  resendEmail: 'POST /emails/{emailId}/resend',
  listEmailTexts: 'GET /email-texts',
  getEmailTexts: 'GET /email-texts/{language}',
  replaceEmailTexts: 'PUT /email-texts/{language}',
  getOverview: 'GET /overview',
  listEvents: 'GET /events',
  listEventGroups: 'GET /event-groups',
  listWebhooks: 'GET /webhooks',
  createWebhook: 'POST /webhooks',
  getWebhook: 'GET /webhooks/{webhookId}',
  updateWebhook: 'PATCH /webhooks/{webhookId}',
  deleteWebhook: 'DELETE /webhooks/{webhookId}',
  rotateWebhookSecret: 'POST /webhooks/{webhookId}/rotate-secret',
  replayWebhook: 'POST /webhooks/{webhookId}/replay',
  listWebhookDeliveries: 'GET /webhooks/{webhookId}/deliveries',
  getWebhookDeliveryCounts: 'GET /webhooks/{webhookId}/delivery-counts',
  getWebhookDelivery: 'GET /webhooks/{webhookId}/deliveries/{deliveryId}',
  replayWebhookDelivery: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  testWebhook: 'POST /webhooks/{webhookId}/test',
} as const;

/** The POSTs that change nothing. */
export const readOnlyPosts: readonly string[] = ['lookUpMembers', 'verifySession', 'checkAccess', 'checkPage', 'testLoginProvider'];

export interface components {
    schemas: {
        /** Requirements that must all be met. */
        AccessAlternative: {
            /**
             * Who: `public` everyone, `members` members who are not blocked, `paying_members` members who are not blocked and have `paid` set, `code` visitors who have entered one of the codes in `pageCodeIds`. `public` needs a time or networks.
             */
            access: "public" | "members" | "paying_members" | "code";
            /** The groups that are required. Not with `public` and `code`. */
            groupIds?: string[];
            /**
             * `any` (default): one of the groups is enough. `all`: every group is required.
             */
            match?: "any" | "all";
            /** The page codes, of which one is enough. Only with `code`. */
            pageCodeIds?: string[];
            /** Not before this time. */
            from?: string;
            /** Only before this time. */
            until?: string;
            /** Only from an IP address in one of these networks. */
            networks?: string[];
        };
        /** A check of one visitor and one path. */
        AccessCheck: {
            /** The member. Leave out both for an anonymous visitor. */
            memberId?: string;
            /** The email address of the member, instead of `memberId`. */
            email?: string;
            /** A path of the site as a browser requests it, with or without a query. */
            path: string;
            /** Page codes that the visitor has entered. Defaults to none. */
            pageCodeIds?: string[];
            /** The method of the request. Defaults to GET. */
            method?: string;
            /** Whether the request is a CORS preflight; see `preflights` of rules. It has no member, and its method is `OPTIONS`. Defaults to false. */
            preflight?: boolean;
            /** The IP address of the visitor. Without it, no alternative of a rule that requires a network is met. */
            ipAddress?: string;
            /** A `domain` in `hosts` of the site. Defaults to the primary host. */
            host?: string;
        };
        /** Whether access to a path is allowed, and why. */
        AccessDecision: {
            /** Whether access to the path is allowed. */
            allowed: boolean;
            /** The reason. Allowed: `public`, `member`, `paying_member`, `group_member`, `page_code` (the visitor has entered a code), `condition_met`, `preflight` (a CORS preflight, which the rule allows). Denied: `anonymous` (the visitor is not logged in), `blocked`, `not_paying`, `not_in_groups`, `code_required`, `condition_not_met`, `ambiguous_path` (proxies, servers and programs may read this path in different ways, so access is denied to everyone), `unknown_member`, `site_suspended`. */
            reason: "public" | "member" | "paying_member" | "group_member" | "page_code" | "condition_met" | "preflight" | "anonymous" | "blocked" | "not_paying" | "not_in_groups" | "code_required" | "condition_not_met" | "ambiguous_path" | "unknown_member" | "site_suspended";
            /** The rule that applied; null if the decision did not depend on a rule or no rule applies to the path. */
            rule: components["schemas"]["AccessRule"] | null;
            /** For a conditional rule, each of its alternatives in the given order: `met`, or the first requirement that is not met. `from`: too early. `until`: too late. `networks`: another IP address. `login`: not logged in. `active`: blocked. `paid`, `groups`: not paying, not in the groups. `code`: none of the codes was entered. null for any other rule. */
            alternatives: ("met" | "from" | "until" | "networks" | "login" | "active" | "paid" | "groups" | "code")[] | null;
        };
        /** A named set of members. */
        AccessGroup: {
            /** The access group. */
            id: string;
            /** Display name, unique on the site. */
            name: string;
            /** What the group is for; null when not set. */
            description: string | null;
            /**
             * `custom`: created by an operator or a program; can be changed and deleted. `scope`: created automatically from a collection of an external workspace; read-only in the API.
             */
            type: "custom" | "scope";
            /** The source of a scope group; null for a custom group. */
            sourceId: string | null;
            /** How many sessions each member of the group may have at the same time, instead of the limit of the site; null for the limit of the site. Of several groups the highest limit applies. */
            maxSessions: number | null;
            /** The number of current memberships. */
            memberCount: number;
            /** When the group was created. */
            createdAt: string | null;
            /** When the group was last changed. */
            updatedAt: string | null;
        };
        AccessGroupCreatedData: {
            /** The access group as created. */
            group: {
                /** The access group. */
                id: string;
                /** Display name, unique on the site. */
                name: string;
                /** What the group is for; null when not set. */
                description: string | null;
                /**
                 * `custom`: created by an operator or a program; can be changed and deleted. `scope`: created automatically from a collection of an external workspace; read-only in the API.
                 */
                type: "custom" | "scope";
            };
        };
        /** An event of the type `access-group.created`. */
        AccessGroupCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["AccessGroupCreatedData"];
        };
        /** The message of an event of the type `access-group.created`. */
        AccessGroupCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["AccessGroupCreatedData"];
        };
        AccessGroupDeletedData: {
            /** The access group. */
            groupId: string;
            /** The last name of the group. */
            name: string;
        };
        /** An event of the type `access-group.deleted`. */
        AccessGroupDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["AccessGroupDeletedData"];
        };
        /** The message of an event of the type `access-group.deleted`. */
        AccessGroupDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["AccessGroupDeletedData"];
        };
        /** An event of the type `access-group.member.added`. */
        AccessGroupMemberAddedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.added";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-group.member.added`. */
        AccessGroupMemberAddedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.added";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** An event of the type `access-group.member.expired`. */
        AccessGroupMemberExpiredEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.expired";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-group.member.expired`. */
        AccessGroupMemberExpiredMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.expired";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** An event of the type `access-group.member.removed`. */
        AccessGroupMemberRemovedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.removed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-group.member.removed`. */
        AccessGroupMemberRemovedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.removed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MembershipData"] | components["schemas"]["ErasedEventData"];
        };
        /** An event of the type `access-group.member.updated`. */
        AccessGroupMemberUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MembershipUpdatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-group.member.updated`. */
        AccessGroupMemberUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.member.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MembershipUpdatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** An access group of a member. */
        AccessGroupReference: {
            /** The access group. */
            id: string;
            /** Its display name. */
            name: string;
        };
        AccessGroupUpdatedData: {
            /** The access group. */
            groupId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `access-group.updated`. */
        AccessGroupUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["AccessGroupUpdatedData"];
        };
        /** The message of an event of the type `access-group.updated`. */
        AccessGroupUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-group.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["AccessGroupUpdatedData"];
        };
        /** Who has access to a path of the site, and by default to everything below it. */
        AccessRule: components["schemas"]["PlainAccessRule"] | components["schemas"]["GroupAccessRule"] | components["schemas"]["CodeAccessRule"] | components["schemas"]["ConditionalAccessRule"];
        AccessRuleChange: {
            /** The path of the rule. */
            path: string;
            /** The rule before the change; null if there was none. */
            from: components["schemas"]["AccessRule"] | null;
            /** The rule after the change; null if there is none. */
            to: components["schemas"]["AccessRule"] | null;
        };
        /** All access rules of the site. */
        AccessRules: {
            /** The rules, sorted by path. A path follows its own rule, then the longest matching rule with `*`, then the rule of its nearest ancestor. A path without a rule is accessible to members, but never to anonymous visitors. */
            rules: components["schemas"]["AccessRule"][];
            /** When the rules were last changed; null if there have never been any. */
            updatedAt: string | null;
        };
        AccessRulesUpdatedData: {
            /** The rules that were added, changed or removed. */
            changes: components["schemas"]["AccessRuleChange"][];
        };
        /** An event of the type `access-rules.updated`. */
        AccessRulesUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-rules.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["AccessRulesUpdatedData"];
        };
        /** The message of an event of the type `access-rules.updated`. */
        AccessRulesUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-rules.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["AccessRulesUpdatedData"];
        };
        /** Whether the visitor has access to `path`; null if no path was given. */
        AccessToPath: {
            /** Whether access to the path is allowed. */
            allowed: boolean;
            /** The reason. Allowed: `public`, `member`, `paying_member`, `group_member`, `page_code` (the visitor has entered a code), `condition_met`, `preflight` (a CORS preflight, which the rule allows). Denied: `anonymous` (the visitor is not logged in), `blocked`, `not_paying`, `not_in_groups`, `code_required`, `condition_not_met`, `ambiguous_path` (proxies, servers and programs may read this path in different ways, so access is denied to everyone), `unknown_member`, `site_suspended`. */
            reason: "public" | "member" | "paying_member" | "group_member" | "page_code" | "condition_met" | "preflight" | "anonymous" | "blocked" | "not_paying" | "not_in_groups" | "code_required" | "condition_not_met" | "ambiguous_path" | "unknown_member" | "site_suspended";
            /** The rule that applied; null if the decision did not depend on a rule or no rule applies to the path. */
            rule: components["schemas"]["AccessRule"] | null;
            /** For a conditional rule, each of its alternatives in the given order: `met`, or the first requirement that is not met. `from`: too early. `until`: too late. `networks`: another IP address. `login`: not logged in. `active`: blocked. `paid`, `groups`: not paying, not in the groups. `code`: none of the codes was entered. null for any other rule. */
            alternatives: ("met" | "from" | "until" | "networks" | "login" | "active" | "paid" | "groups" | "code")[] | null;
        } | null;
        /** A credential with which a program of a member, such as a feed reader, has the access of the member. The token itself is returned only once, when it is created. */
        AccessToken: {
            /** The access token. */
            id: string;
            /** The member whose access it grants. */
            memberId: string;
            /** What the token is for. */
            name: string;
            /** The token works for this path and everything below it. */
            pathPrefix: string;
            /** When the token was created. */
            createdAt: string;
            /** When the token expires; null if it does not. */
            expiresAt: string | null;
            /** When the token was last used, to the hour; null if it never was. */
            lastUsedAt: string | null;
        };
        AccessTokenCreatedData: {
            /** The member. */
            memberId: string;
            /** The access token as created, without its secret. */
            token: {
                /** The access token. */
                id: string;
                /** What the token is for. */
                name: string;
                /** The token works for this path and everything below it. */
                pathPrefix: string;
                /** When the token expires; null if it does not. */
                expiresAt: string | null;
            };
        };
        /** An event of the type `access-token.created`. */
        AccessTokenCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-token.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["AccessTokenCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-token.created`. */
        AccessTokenCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-token.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["AccessTokenCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        AccessTokenDeletedData: {
            /** The member. */
            memberId: string;
            /** The access tokens that were deleted. */
            tokenIds: string[];
            /** `deleted`: this token was deleted. `logged_out`: the member logged out everywhere. `revoked`: all sessions of the member were ended. `blocked`, `email_changed`: ended by that change of the member. */
            reason: "deleted" | "logged_out" | "revoked" | "blocked" | "email_changed";
        };
        /** An event of the type `access-token.deleted`. */
        AccessTokenDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "access-token.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["AccessTokenDeletedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `access-token.deleted`. */
        AccessTokenDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "access-token.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["AccessTokenDeletedData"] | components["schemas"]["ErasedEventData"];
        };
        /** Who or what caused the event. */
        Actor: {
            /** `key`: a program with an API key. `operator`: a person in the dashboard or on the command line. `member`: the member, through a login link. `source`: an external workspace. `system`: Gatehouse itself. */
            type: "key" | "operator" | "member" | "source" | "system";
            /** The id of the actor; null if it has none. */
            id: string | null;
            /** The name of the actor at that time; null if it has none. */
            name: string | null;
        };
        AddAccessGroupMember: {
            /** An existing member of the site. */
            memberId: string;
            /** When the membership expires, a time in the future; for a last day, the first instant of the next day in the `timeZone` of the site. If null or left out, it does not expire. */
            expiresAt?: string | null;
        };
        AddToGroup: {
            /**
             * Adds the members to a group.
             */
            type: "add_to_group";
            /** A custom access group of the site. */
            groupId: string;
            /** When the memberships expire, a time in the future; null if they do not. It also applies to members who are already in the group. If left out, new memberships do not expire, and existing ones keep their end. */
            expiresAt?: string | null;
        };
        /** The credential of a program for the API. The key itself is returned only once, when it is created. */
        ApiKey: {
            /** The API key. */
            id: string;
            /** What the key is for. */
            name: string;
            /** Its last four characters, to tell keys apart. */
            last4: string;
            /** The permissions of the key. */
            permissions: ("members:read" | "members:write" | "members:block" | "access-groups:read" | "access-groups:write" | "events:read" | "webhooks:read" | "webhooks:write" | "sources:read" | "sources:write" | "site:read" | "site:write" | "login-links:send" | "login-links:write" | "login-providers:write" | "api-keys:read" | "api-keys:write" | "operators:read" | "operators:write" | "emails:read" | "invitations:read" | "invitations:write" | "join-requests:read" | "join-requests:write")[];
            /** Requests in 60 s; null for the default of the service, 0 for no limit. */
            rateLimit: number | null;
            /** When the key was created. */
            createdAt: string;
            /** When it was last used, to the hour; null if it was not. */
            lastUsedAt: string | null;
            /** When the key expires; null if it does not. */
            expiresAt: string | null;
            /** When the key was revoked; null if it was not. */
            revokedAt: string | null;
            /** The key that replaces it; null if there is none. */
            replacedBy: string | null;
        };
        /** An event of the type `api-key.created`. */
        ApiKeyCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["KeyCreatedData"];
        };
        /** The message of an event of the type `api-key.created`. */
        ApiKeyCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["KeyCreatedData"];
        };
        /** An event of the type `api-key.revoked`. */
        ApiKeyRevokedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.revoked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["KeyRevokedData"];
        };
        /** The message of an event of the type `api-key.revoked`. */
        ApiKeyRevokedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.revoked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["KeyRevokedData"];
        };
        /** An event of the type `api-key.rotated`. */
        ApiKeyRotatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.rotated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["KeyRotatedData"];
        };
        /** The message of an event of the type `api-key.rotated`. */
        ApiKeyRotatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "api-key.rotated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["KeyRotatedData"];
        };
        ApproveJoinRequests: {
            /**
             * Each person becomes a member, if they are not one, joins the groups, and gets an email. A blocked member stays blocked: the request fails with `member_blocked`.
             */
            decision: "approve";
            /** The requests, 1 to 500. Duplicates count once. */
            joinRequestIds: string[];
            /** The groups to join. Defaults to none. */
            accessGroupIds?: string[];
            /** When the memberships expire, a time in the future; null or left out if they do not. A membership that exists and ends later, or does not end, stays as it is. */
            membershipExpiresAt?: string | null;
        };
        AvailableCollection: {
            /** Identifies the collection in the workspace. */
            key: string;
            /** Its name in the workspace. */
            name: string;
            /** Whether it becomes a scope group. */
            chosen: boolean;
        };
        /** The collections of a workspace that can be chosen. */
        AvailableCollections: {
            /** The collections that the workspace shows to Gatehouse. */
            collections: components["schemas"]["AvailableCollection"][];
            /** False if there are more, which were not read in time. */
            complete: boolean;
        };
        /** The action for each of the members. Each action needs the permission of the operation that does the same for one member: `block` and `unblock` need `members:block`, `send_login_link` needs `login-links:send`, `set_paid` and `delete` need `members:write`, `add_to_group`, `set_end_in_group` and `remove_from_group` need `access-groups:write`. */
        BulkAction: components["schemas"]["AddToGroup"] | components["schemas"]["SetEndInGroup"] | components["schemas"]["RemoveFromGroup"] | components["schemas"]["SetPaid"] | components["schemas"]["PlainAction"];
        /** A member for whom the action succeeded. */
        BulkActionDone: {
            /** The id of the member. */
            memberId: string;
            /**
             * Success.
             */
            status: "done";
            /** Present only if the member was already in the group and the action changed the end of the membership: the previous end; null for never. */
            previousExpiresAt?: string | null;
        };
        /** A member for whom the action failed. */
        BulkActionFailed: {
            /** The id of the member. */
            memberId: string;
            /**
             * The action failed.
             */
            status: "error";
            /** Why the action failed. */
            error: {
                /** Why the action failed. */
                code: "member_not_found" | "member_blocked" | "rate_limited" | "email_budget_exhausted";
                /** The reason in words. */
                message: string;
            };
        };
        /** The result for one member; `status` determines its schema. */
        BulkActionResultItem: components["schemas"]["BulkActionDone"] | components["schemas"]["BulkActionUnchanged"] | components["schemas"]["BulkActionFailed"];
        /** The result in numbers: `done`, `unchanged` and `failed` add up to `total`. */
        BulkActionSummary: {
            /** Members submitted. */
            total: number;
            /** Members for whom the action succeeded. */
            done: number;
            /** Members for whom there was nothing to do. */
            unchanged: number;
            /** Members with the status `error`. */
            failed: number;
        };
        /** A member for whom there was nothing to do. */
        BulkActionUnchanged: {
            /** The id of the member. */
            memberId: string;
            /**
             * There was nothing to do, for example because the member is already in the group.
             */
            status: "unchanged";
        };
        BulkCreateInvitations: {
            /** The email addresses, 1 to 500. Each gets an invitation of its own. */
            emails: string[];
            /** The custom groups that those who join are added to. */
            accessGroupIds?: string[];
            /** When the memberships in the groups expire, a time in the future; null if they do not, or if `membershipDays` says it. */
            membershipExpiresAt?: string | null;
            /** After how many days from joining the memberships expire; null if they do not, or if `membershipExpiresAt` says it. */
            membershipDays?: number | null;
            /** Whether joining only creates a request to join, which an operator decides. A use is then counted at the approval. */
            needsApproval?: boolean;
            /** For operators only: nobody who is invited sees it. At most 500 characters. */
            note?: string;
            /** The language of its email, one of `languages` of the site; null for the first of them. */
            language?: string | null;
            /** Until when people can join with it: a time in the future, at most 366 days from now; an earlier `membershipExpiresAt` replaces it. Defaults to 14 days from now, and to the end of the API key if that is earlier. */
            expiresAt?: string;
            /** Whether to email the links. Defaults to true. */
            send?: boolean;
        };
        BulkCreateMembers: {
            /** The members to create, 1 to 500. */
            members: components["schemas"]["BulkMember"][];
            /** Custom access groups that all created members are added to, at most 100. An id given twice counts once. Scope groups are not allowed. */
            accessGroupIds?: string[];
        };
        /** An email address that has been invited. */
        BulkInvitationCreated: {
            /** The email address exactly as submitted. */
            email: string;
            /**
             * The invitation was created.
             */
            status: "created";
            invitation: components["schemas"]["Invitation"];
        };
        /** An email address that has not been invited. */
        BulkInvitationFailed: {
            /** The email address exactly as submitted. */
            email: string;
            /**
             * `conflict`: it has an active invitation to the same groups. `error`: any other failure.
             */
            status: "conflict" | "error";
            /** Why it was not invited. */
            error: {
                /** Why it was not invited. */
                code: "invalid_email" | "already_invited" | "email_budget_exhausted";
                /** The reason in words. */
                message: string;
            };
        };
        /** The result for one submitted email address; `status` determines its schema. */
        BulkInvitationResultItem: components["schemas"]["BulkInvitationCreated"] | components["schemas"]["BulkInvitationFailed"];
        /** The result in numbers: `created` plus `failed` equals `total`. */
        BulkInvitationSummary: {
            /** Email addresses submitted. */
            total: number;
            /** Invitations created. */
            created: number;
            /** Email addresses with the status `conflict` or `error`. */
            failed: number;
        };
        /** A submitted member who was created. */
        BulkItemCreated: {
            /** The email address exactly as submitted. */
            email: string;
            /**
             * The member was created.
             */
            status: "created";
            member: components["schemas"]["Member"];
        };
        /** A submitted member who was not created. */
        BulkItemFailed: {
            /** The email address exactly as submitted. */
            email: string;
            /**
             * `conflict`: a member with this email address already exists. `error`: any other failure.
             */
            status: "conflict" | "error";
            /** Why the member was not created. */
            error: {
                /** Why the member was not created. */
                code: "invalid_email" | "invalid_display_name" | "invalid_registered_at" | "email_taken";
                /** The reason in words. */
                message: string;
            };
            /** The member with this email address, for a `conflict`. Only for callers with the permission `members:read`, and left out if that member is deleted at the same time. */
            existingMemberId?: string;
        };
        /** A submitted update that failed. */
        BulkItemNotUpdated: {
            /** The id of the member. */
            id: string;
            /**
             * Nothing of this item was changed.
             */
            status: "error";
            /** Why the member was not updated. */
            error: {
                /** Why the member was not updated. */
                code: "member_not_found" | "invalid_display_name";
                /** The reason in words. */
                message: string;
            };
        };
        /** A member for whom there was nothing to change. */
        BulkItemUnchanged: {
            /** The id of the member. */
            id: string;
            /**
             * The member has these values already.
             */
            status: "unchanged";
        };
        /** A member who was changed, with the new values. */
        BulkItemUpdated: {
            /** The id of the member. */
            id: string;
            /**
             * The member was changed.
             */
            status: "updated";
            member: components["schemas"]["Member"];
        };
        /** One member to create. */
        BulkMember: {
            /** Exactly one email address. It is trimmed and converted to lowercase, its domain is turned into the ASCII form, and the result must be a valid email address of at most 254 characters, 64 before the `@`. Anything else makes its item an `error` with `invalid_email`. */
            email: string;
            /** Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without control characters. Anything else makes its item an `error` with `invalid_display_name`. */
            displayName?: string | null;
            /** Whether the member is a paying customer. Defaults to false. */
            paid?: boolean;
            /** When the member first registered, for members who registered in another system before: a time in the past, in RFC 3339. Defaults to the current time when left out or null. Anything else makes its item an `error` with `invalid_registered_at`. */
            registeredAt?: string | null;
        };
        BulkMemberActions: {
            /** The members, 1 to 500. Duplicates count once. */
            memberIds: string[];
            action: components["schemas"]["BulkAction"];
        };
        /** The new values of one member. Fields that are left out keep their value. */
        BulkMemberUpdate: {
            /** The id of the member. */
            id: string;
            /** Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without control characters. Anything else makes its item an `error` with `invalid_display_name`. */
            displayName?: string | null;
            /** Whether the member is a paying customer. */
            paid?: boolean;
        };
        /** The result for one submitted member; `status` determines its schema. */
        BulkResultItem: components["schemas"]["BulkItemCreated"] | components["schemas"]["BulkItemFailed"];
        /** The result in numbers: `created` plus `failed` equals `total`. */
        BulkSummary: {
            /** Members submitted. */
            total: number;
            /** Members created. */
            created: number;
            /** Members with the status `conflict` or `error`. */
            failed: number;
        };
        BulkUpdateMembers: {
            /** The members to update, 1 to 500. */
            members: components["schemas"]["BulkMemberUpdate"][];
        };
        /** The result for one submitted update; `status` determines its schema. */
        BulkUpdateResultItem: components["schemas"]["BulkItemUpdated"] | components["schemas"]["BulkItemUnchanged"] | components["schemas"]["BulkItemNotUpdated"];
        /** The result in numbers: `updated`, `unchanged` and `failed` add up to `total`. */
        BulkUpdateSummary: {
            /** Updates submitted. */
            total: number;
            /** Updates that changed a member. */
            updated: number;
            /** Updates for which there was nothing to change. */
            unchanged: number;
            /** Updates with the status `error`. */
            failed: number;
        };
        /** One field that was changed. */
        Change: {
            /** The name of the field. */
            field: string;
            /** Its value before. */
            from: string | number | boolean | null;
            /** Its value after. */
            to: string | number | boolean | null;
        };
        CheckAccess: {
            /** The checks, at most 100. */
            checks: components["schemas"]["AccessCheck"][];
            /** All rules to decide by, instead of the saved ones: to try out a change before it is saved. They are validated like a replacement of the rules, and are not stored. */
            rules?: components["schemas"]["AccessRule"][];
        };
        CheckPage: {
            /** A path of the site as a browser requests it, with or without a query. */
            path: string;
            /** A `domain` in `hosts` of the site. Defaults to the primary host. */
            host?: string;
            /** All rules to decide by, instead of the saved ones: to try out a change before it is saved. They are validated like a replacement of the rules, and are not stored. */
            rules?: components["schemas"]["AccessRule"][];
        };
        ChosenCollection: {
            /** Identifies the collection in the workspace. */
            key: string;
            /** Its name in the workspace, to be shown until the first synchronization finds it out. Without effect for a collection that is known already. */
            name?: string;
            columns: components["schemas"]["CollectionColumns"];
        };
        CodeAccessRule: {
            /** The path starts with `/` and has no percent-encoding and no query; `/` is the whole site. Its last name may end in `*`: `/blog/premium-*` is every path in `/blog` whose name begins with `premium-`. */
            path: string;
            /**
             * `folder` (default): the rule applies to the path and to everything below it that has no rule of its own. `page`: it applies only to the path itself and, if that is a folder, to its index page. A request with another method than GET and HEAD, or with a query, must also meet the rule that would apply without this one, because programs may show another page for it, as for `/?p=7`, or change something. `queryParameters` lists exceptions.
             */
            appliesTo?: "folder" | "page";
            /** Parameters that do not choose another page. A query of only these is treated as no query. Only with `appliesTo: page`. */
            queryParameters?: string[];
            /** The hosts that the rule applies to. If left out, it applies to all hosts. On its hosts, the rule replaces the rule for all hosts with the same `path` and `appliesTo`. A rule for a folder also replaces the rule for all hosts for the page of that folder. */
            hosts?: string[];
            /** Whether programs can send the access token of a member in the query (`?access_token=gmt_…`) where this rule applies: for podcast apps and feed readers that know only a URL. Defaults to false. */
            acceptsTokenInUrl?: boolean;
            /** Whether one program receives everything below this path as it is, also paths that servers read in different ways: `/pluginfile.php/7/plan.pdf`, `/api/queues/%2F/jobs`, `/wiki/C%23`. A path that a server may read as one outside is still denied. No other rule can be for a path below it, or for only its page. Access tokens for a path below it do not count. Defaults to false. */
            programPaths?: boolean;
            /** Whether CORS preflights pass without a login where this rule applies: `OPTIONS` with `Origin` and `Access-Control-Request-Method`, without cookies, `Authorization` and a body. The program answers them. For a rule for a page, a query that is not in `queryParameters` also needs it on the rule of the folder. Defaults to false. */
            preflights?: boolean;
            /**
             * Visitors who have entered one of the codes in `pageCodeIds` have access, members included. To give access to members without a code as well, use `conditional`.
             */
            access: "code";
            /** The page codes, of which one is enough. */
            pageCodeIds: string[];
        };
        CollectionColumn: {
            /** Identifies the column, where possible also when it is renamed. */
            key: string;
            /** Its heading. */
            name: string;
            /** What its values are. `people`: people of the workspace. `choice` and `choices`: one or several of `options`. `other`: nothing that Gatehouse can use. */
            type: "text" | "email" | "people" | "checkbox" | "choice" | "choices" | "other";
            /** The values that can be chosen in the workspace, if it says so. */
            options: string[];
        };
        /** Which columns of a collection are used, by their keys. Those after `groups` are for the type `list` only. */
        CollectionColumns: {
            /** The column with the email addresses. */
            email: string;
            /** The column with the names; null if names stay as they are in Gatehouse. */
            displayName?: string | null;
            /** The column with last names, which are added to the names unless these have them; null if there is none. */
            lastName?: string | null;
            /** The column that says who is paying; null if `paid` stays as it is. */
            paid?: string | null;
            /** The values of the column `paid` that mean that somebody is paying, in upper or lower case. If left out or empty, these are a ticked box and the words for yes, such as `yes`, `true`, `1` and `x`. */
            paidValues?: string[];
            /** The column with the names of groups, each a scope group of the source; null if the collection is one group. */
            groups?: string | null;
            /** The column with first names; null if there is none. */
            firstName?: string | null;
            /** The column with the end of the membership, or one for each of the groups, separated by `;`. People who no longer have a group are not in the collection. A date without a time is the last day, in the time zone of the site. Null if there is none. */
            groupsEndAt?: string | null;
            /** Further columns with the names of groups. */
            furtherGroups?: string[];
            /** Columns that are named after a group and whose marks, such as `x`, `yes` and `1`, say who belongs to it. */
            groupColumns?: string[];
            /** What separates the names of groups in a cell; empty if each cell is one name. If null or left out, the list and the groups of the source decide; rows whose groups are still not clear are skipped as `unclear_groups`. */
            groupSeparator?: string | null;
            /** The column with the state of people in another system. Only those who are `active` are in the collection. Null if there is none. */
            status?: string | null;
            /** What the words in the column `status` mean, besides `active` and `blocked`. Rows with another word are skipped as `invalid_status`. */
            statusWords?: components["schemas"]["StatusWord"][];
            /**
             * Which of the first two numbers of a date such as `03/04/2026` is the day. If null or left out, the other dates of the list decide; rows whose date is still not clear are skipped as `unclear_date`.
             * @enum {string|null}
             */
            dateOrder?: "dayFirst" | "monthFirst" | null;
            /** The system whose export the list is, as in the preview: its words for states and payment, its dates and its separators are used. Null if the list is none. */
            export?: string | null;
            /** Further columns of the export that say who is active and until when, as in the preview. While one of them is missing, the collection is not synchronized. If left out, these are the columns that every such export has. */
            exportColumns?: string[];
        };
        /** The system whose export a list is. */
        CollectionExport: {
            /** As in the columns of a collection. */
            name: string;
            /** As people call the system. */
            title: string;
        };
        /** The columns and the first rows of a collection. `guess` says which columns to use, judged by their headings, types and values; it is null if no column has email addresses. `export` is the system whose export a list is, or null. */
        CollectionPreview: {
            /** The columns of the collection. */
            columns: components["schemas"]["CollectionColumn"][];
            /** The first ten rows: a text for each column, empty if there is none, shortened to 200 characters and "…". */
            rows: string[][];
            guess: components["schemas"]["CollectionColumns"] | null;
            export: components["schemas"]["CollectionExport"] | null;
            /** What is not clear about the list if it is read as guessed. Empty for workspaces that say it. */
            questions: components["schemas"]["CollectionQuestion"][];
        };
        /** Something that is not clear from the list, and that `columns` of the collection can say. Until then, the rows that depend on it are skipped, and their people stay as they are. */
        CollectionQuestion: {
            /** What is not clear. `column`: which one of `columns` contains the field in `field`. `dateOrder`: whether the dates in `examples` begin with the day or the month. `groupSeparator`: which one of `separators` stands between the names of groups in `examples`. `statusWords`: what each of `words` means. `groups`: whether `columns` contain names of groups, and whether each of `markColumns` is named after a group; until that is said, these columns are not used. */
            type: "column" | "dateOrder" | "groupSeparator" | "statusWords" | "groups";
            /** The field that the type `column` is about; null for other types. */
            field: string | null;
            /** The keys of the columns that the question is about. */
            columns: string[];
            /** The keys of columns that may be named after a group. */
            markColumns: string[];
            /** What may separate the names of groups in a cell. */
            separators: string[];
            /** Cells of the list. */
            examples: string[];
            /** Words for states that have no meaning yet. */
            words: components["schemas"]["OpenStatusWord"][];
        };
        /** What a run did with one collection. */
        CollectionResult: {
            /** Identifies the collection in the workspace. */
            key: string;
            /** Its name. */
            name: string;
            /** People in the workspace, each counted once per collection. */
            read: number;
            /** People who became members. */
            created: number;
            /** Memberships that were added. */
            added: number;
            /** Members whose name or `paid` was changed. */
            changed: number;
            /** Memberships that were removed. */
            removed: number;
            /** People who would leave the collection or a group, or no longer be paying, and stay as they are until somebody confirms it. */
            withheld: number;
            /** Members that were blocked because they left the source. */
            blocked: number;
            /** People who could not be read. */
            skipped: number;
            /** Rows whose email address cannot be read: it is invalid, there are several, or the cell shows an error such as `#REF!`. While there is one, nobody leaves the collection or a group, is no longer paying, or is blocked, except with a confirmation that names a run. Correct or remove these rows. */
            unreadable: number;
            error: components["schemas"]["RunError"] | null;
            /** The first 20 of those that could not be read; none after 7 days, and none for callers without the permission `members:read`. */
            skippedPeople: components["schemas"]["SkippedPerson"][];
            sample: components["schemas"]["CollectionSample"];
        };
        /** The first 20 people of each kind, in a dry run or when a confirmation is required; none after 7 days, and none for callers without the permission `members:read`. */
        CollectionSample: {
            added: string[];
            removed: string[];
        };
        ConditionalAccessRule: {
            /** The path starts with `/` and has no percent-encoding and no query; `/` is the whole site. Its last name may end in `*`: `/blog/premium-*` is every path in `/blog` whose name begins with `premium-`. */
            path: string;
            /**
             * `folder` (default): the rule applies to the path and to everything below it that has no rule of its own. `page`: it applies only to the path itself and, if that is a folder, to its index page. A request with another method than GET and HEAD, or with a query, must also meet the rule that would apply without this one, because programs may show another page for it, as for `/?p=7`, or change something. `queryParameters` lists exceptions.
             */
            appliesTo?: "folder" | "page";
            /** Parameters that do not choose another page. A query of only these is treated as no query. Only with `appliesTo: page`. */
            queryParameters?: string[];
            /** The hosts that the rule applies to. If left out, it applies to all hosts. On its hosts, the rule replaces the rule for all hosts with the same `path` and `appliesTo`. A rule for a folder also replaces the rule for all hosts for the page of that folder. */
            hosts?: string[];
            /** Whether programs can send the access token of a member in the query (`?access_token=gmt_…`) where this rule applies: for podcast apps and feed readers that know only a URL. Defaults to false. */
            acceptsTokenInUrl?: boolean;
            /** Whether one program receives everything below this path as it is, also paths that servers read in different ways: `/pluginfile.php/7/plan.pdf`, `/api/queues/%2F/jobs`, `/wiki/C%23`. A path that a server may read as one outside is still denied. No other rule can be for a path below it, or for only its page. Access tokens for a path below it do not count. Defaults to false. */
            programPaths?: boolean;
            /** Whether CORS preflights pass without a login where this rule applies: `OPTIONS` with `Origin` and `Access-Control-Request-Method`, without cookies, `Authorization` and a body. The program answers them. For a rule for a page, a query that is not in `queryParameters` also needs it on the rule of the folder. Defaults to false. */
            preflights?: boolean;
            /**
             * Visitors who meet all requirements of one of the alternatives in `anyOf` have access.
             */
            access: "conditional";
            /** The alternatives. */
            anyOf: components["schemas"]["AccessAlternative"][];
        };
        CreateAccessGroup: {
            /** Display name, 1 to 100 characters after trimming and Unicode normalization (NFC), unique on the site (case-sensitive). */
            name: string;
            /** What the group is for, at most 500 characters; null removes it. */
            description?: string | null;
            /** How many sessions each member of the group may have at the same time, from the next login on; null for the limit of the site. */
            maxSessions?: number | null;
        };
        CreateAccessToken: {
            /** What the token is for, 1 to 100 characters after trimming. */
            name: string;
            /** The path for which the token works, with everything below it; written like the path of an access rule, without `*`. Defaults to `/`, the whole site. */
            pathPrefix?: string;
            /** When the token expires, a time in the future; null for never. Defaults to the expiry of the API key that creates it, which it cannot exceed, or to never. */
            expiresAt?: string | null;
        };
        CreateApiKey: {
            /** What the key is for, 1 to 100 characters after trimming. */
            name: string;
            /** The permissions of the key; the caller must have each of them. Defaults to the permissions of the caller except `webhooks:read`, `webhooks:write`, `sources:write`, `login-links:write`, `api-keys:read`, `api-keys:write`, `operators:read`, `operators:write` and `emails:read`; to all of them if the caller has no other permissions. */
            permissions?: ("members:read" | "members:write" | "members:block" | "access-groups:read" | "access-groups:write" | "events:read" | "webhooks:read" | "webhooks:write" | "sources:read" | "sources:write" | "site:read" | "site:write" | "login-links:send" | "login-links:write" | "login-providers:write" | "api-keys:read" | "api-keys:write" | "operators:read" | "operators:write" | "emails:read" | "invitations:read" | "invitations:write" | "join-requests:read" | "join-requests:write")[];
            /** Requests in 60 s; null for the default of the service, 0 for no limit. If the caller is an API key, this cannot be higher than the limit of the caller, and defaults to it. Otherwise it defaults to null. */
            rateLimit?: number | null;
            /** When the key expires, a time in the future; null for never. If the caller is an API key, this cannot be later than the expiry of the caller, and defaults to it. Otherwise it defaults to null. */
            expiresAt?: string | null;
        };
        /** Without `email`, `maxUses` defaults to null. */
        CreateInvitation: {
            /** For operators only: nobody who is invited sees it. At most 500 characters. */
            note?: string;
            /** The custom groups that those who join are added to. */
            accessGroupIds?: string[];
            /** When the memberships in the groups expire, a time in the future; null if they do not, or if `membershipDays` says it. */
            membershipExpiresAt?: string | null;
            /** After how many days from joining the memberships expire; null if they do not, or if `membershipExpiresAt` says it. */
            membershipDays?: number | null;
            /** Whether joining only creates a request to join, which an operator decides. A use is then counted at the approval. */
            needsApproval?: boolean;
            /** How many people can join with it, at most 10,000; null for any number. An invitation with `email` works once. */
            maxUses?: number | null;
            /** The email domains of those who can join: the part after the `@`; subdomains do not match. Empty for any. */
            emailDomains?: string[];
            /** The only email address for which the invitation works; null if it works for everyone who has the link. */
            email?: string | null;
            /** The language of its email, one of `languages` of the site; null for the first of them. */
            language?: string | null;
            /** Until when people can join with it: a time in the future, at most 366 days from now; an earlier `membershipExpiresAt` replaces it. Defaults to 14 days from now, and to the end of the API key if that is earlier. */
            expiresAt?: string;
            /** Whether to email the link to `email`. Defaults to true if there is one; otherwise it must be false. */
            send?: boolean;
        };
        CreateLoginLink: {
            /** Whether to email the link to the member. Defaults to true. */
            send?: boolean;
            /** The path of the site to open after the login. Defaults to `/`. */
            next?: string;
        };
        CreateLoginProvider: {
            /**
             * `oidc`: any server with OpenID Connect, such as Keycloak. `google`, `microsoft` (Entra ID), `github`, `apple`. It never changes.
             */
            type: "oidc" | "google" | "microsoft" | "github" | "apple";
            /** Its name on the login page. At most 100 characters. */
            name: string;
            /** The client ID that the provider has given to this site. */
            clientId: string;
            /** The client secret; of `apple` the private key, as in the .p8 file. It is stored encrypted and never returned. */
            secret: string;
            /** The issuer of its ID tokens, exactly as the server names it. With the subject it identifies an account. It never changes. Only for `oidc`, which needs it. */
            issuer?: string;
            /** Of `microsoft`: the ID of the directory; null for other types. `microsoft` needs it. */
            tenant?: string;
            /** Of `apple`: the ID of the team; null for other types. */
            teamId?: string;
            /** Of `apple`: the ID of the private key; null for other types. */
            privateKeyId?: string;
            /**
             * `claim`: an email address counts as verified if the provider says so at the login. `never`: not even then. `always`: every email address counts, for `oidc` only: anyone who can choose one there can log in as the member who has it. Defaults to `claim`.
             */
            emailTrust?: "claim" | "never" | "always";
            /** The claim with the groups of an account; null if they are not used. */
            groupsClaim?: string | null;
            /** Which custom groups follow the values of the claim at each login. At most 100. */
            groupMap?: components["schemas"]["GroupMapping"][];
            /** Whether the login page offers it. Defaults to `false`. */
            enabled?: boolean;
        };
        CreateMember: {
            /** Exactly one email address. It is trimmed and converted to lowercase, its domain is turned into the ASCII form, and the result must be a valid email address of at most 254 characters, 64 before the `@`. */
            email: string;
            /** Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without control characters. */
            displayName?: string | null;
            /** Whether the member is a paying customer. Defaults to false. */
            paid?: boolean;
            /** When the member first registered, for members who registered in another system before: a time in the past, in RFC 3339. Defaults to the current time when left out or null. */
            registeredAt?: string | null;
            /** Custom access groups that the member is added to, at most 100. An id given twice counts once. Scope groups are not allowed. */
            accessGroupIds?: string[];
        };
        CreatePageCode: {
            /** What it is for. Programs behind the gate see it in the header `Remote-Page-Code`. At most 100 characters. */
            label: string;
            /**
             * `words`: five words that Gatehouse generates, easy to read out. `characters`: ten letters and digits that Gatehouse generates. `chosen`: a code that the caller sets. Defaults to `chosen` if `code` is given, otherwise to `words`.
             */
            type?: "words" | "characters" | "chosen";
            /** The code, with at least 8 letters and digits. Only these count, in upper or lower case. It must be hard to guess: the title of the site, its domain and the label are refused. */
            code?: string;
            /** Until when it works; null for no end. Access by it ends then, also for those who have entered it before. */
            expiresAt?: string | null;
            /** How many times it can be entered, at most 1,000,000; null for any number. Those who have entered it keep access. */
            maxUses?: number | null;
        };
        CreateSource: {
            /**
             * What the source is. `notion`: the databases of a Notion workspace. `list`: a CSV or TSV file at a URL. `program`: a program uploads the lists.
             */
            type: "notion" | "list" | "program";
            /** Display name, 1 to 100 characters after trimming, unique among the sources of the site. */
            name: string;
            /** The access token of an internal integration of Notion (`ntn_…`), for the type `notion`. It is stored encrypted and never returned. */
            token?: string;
            /** The https URL of a CSV or TSV file, for the type `list`. It is stored encrypted and never returned, because anybody who knows it may be able to read the list. */
            address?: string;
            /** Whether it is synchronized on schedule. False by default, so that its collections can be chosen first. Without effect for the type `program`. */
            enabled?: boolean;
            /** Minutes between two synchronizations, give or take 10%. */
            intervalMinutes?: number;
            /** How many people may leave a collection in one run without a confirmation. A confirmation is required if both this number and `maxRemovedPercent` are exceeded, if everybody would leave, or more than half and at least 3 people, and if a row has lost its email address. The same applies to people who would leave a group or would no longer be paying. */
            maxRemovedPeople?: number;
            /** What share of the people of a collection may leave it in one run without a confirmation. With 100 none is ever required, except while an email address cannot be read. */
            maxRemovedPercent?: number;
            /** Days after which the group of a collection that is gone is deleted. */
            graceDays?: number;
            /**
             * What happens to members that the source created and that are in none of its collections any more: `keep` leaves them as they are, `block` blocks them until they return.
             */
            onLeave?: "keep" | "block";
        };
        /** Without the optional fields, every event is sent with its full content, up to 5 at the same time, without order. */
        CreateWebhook: {
            /** The https URL that receives the events, with a POST for each. It must be public. Redirects are not followed. */
            url: string;
            /** What it is for, at most 200 characters on one line. */
            description?: string;
            /** The types of the events that are sent; null for all, also those that are added later. */
            eventTypes?: ("member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed")[] | null;
            /** Only events about these access groups are sent; null for all events. */
            groupIds?: string[] | null;
            /**
             * What a message contains. `full`: all data of the event. `ids`: `data` has only the ids, so that no personal data is sent.
             */
            content?: "full" | "ids";
            /** How many events are sent at the same time. With 1 they arrive in the order in which they happened, and an event that fails blocks those after it. */
            parallelism?: number;
            /** Whether events are sent. */
            enabled?: boolean;
        };
        /** A new access token with its secret. */
        CreatedAccessToken: {
            /** The access token. */
            id: string;
            /** The member whose access it grants. */
            memberId: string;
            /** What the token is for. */
            name: string;
            /** The token works for this path and everything below it. */
            pathPrefix: string;
            /** When the token was created. */
            createdAt: string;
            /** When the token expires; null if it does not. */
            expiresAt: string | null;
            /** When the token was last used, to the hour; null if it never was. */
            lastUsedAt: string | null;
            /** The token itself. It is returned only this once: only a hash of it is stored. */
            secret: string;
        };
        /** A new API key with its secret. */
        CreatedApiKey: {
            /** The API key. */
            id: string;
            /** What the key is for. */
            name: string;
            /** Its last four characters, to tell keys apart. */
            last4: string;
            /** The permissions of the key. */
            permissions: ("members:read" | "members:write" | "members:block" | "access-groups:read" | "access-groups:write" | "events:read" | "webhooks:read" | "webhooks:write" | "sources:read" | "sources:write" | "site:read" | "site:write" | "login-links:send" | "login-links:write" | "login-providers:write" | "api-keys:read" | "api-keys:write" | "operators:read" | "operators:write" | "emails:read" | "invitations:read" | "invitations:write" | "join-requests:read" | "join-requests:write")[];
            /** Requests in 60 s; null for the default of the service, 0 for no limit. */
            rateLimit: number | null;
            /** When the key was created. */
            createdAt: string;
            /** When it was last used, to the hour; null if it was not. */
            lastUsedAt: string | null;
            /** When the key expires; null if it does not. */
            expiresAt: string | null;
            /** When the key was revoked; null if it was not. */
            revokedAt: string | null;
            /** The key that replaces it; null if there is none. */
            replacedBy: string | null;
            /** The key itself. It is returned only this once: only a hash of it is stored. */
            secret: string;
        };
        /** A new webhook with its secret. */
        CreatedWebhook: {
            /** The webhook. */
            id: string;
            /** The https URL that receives the events, with a POST for each. It must be public. Redirects are not followed. If the secret key that encrypts it is missing, only its host is shown. */
            url: string;
            /** What it is for. */
            description: string;
            /** The types of the events that are sent; null for all, also those that are added later. */
            eventTypes: ("member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed")[] | null;
            /** Only events about these access groups are sent; null for all events. */
            groupIds: string[] | null;
            /** What a message contains. `full`: all data of the event. `ids`: `data` has only the ids, so that no personal data is sent. */
            content: "full" | "ids";
            /** How many events are sent at the same time. With 1 they arrive in the order in which they happened, and an event that fails blocks those after it. */
            parallelism: number;
            /** Whether events are sent. */
            enabled: boolean;
            /** `active`. `failing`: the last attempts have failed, so that events wait and one of them is sent from time to time. `disabled`: nothing is sent. */
            status: "active" | "failing" | "disabled";
            /** Why it is disabled; null if it is not. `request`: somebody disabled it. `gone`: the receiver answered 410 Gone. `failing`: every attempt of five days has failed. */
            disabledReason: "request" | "gone" | "failing" | null;
            /** Since when every attempt has failed; null if the last one succeeded. */
            failingSince: string | null;
            /** When the next event is sent to a failing receiver; null unless the webhook is `failing`. */
            nextAttemptAt: string | null;
            replay: components["schemas"]["WebhookReplay"] | null;
            /** When the previous secret stops signing, or stopped; null if the secret was never replaced. */
            previousSecretExpiresAt: string | null;
            /** When it was created. */
            createdAt: string;
            /** When its settings were last changed. */
            updatedAt: string;
            /** The secret that signs what is sent (Standard Webhooks). It is returned only this once, and stored encrypted. */
            secret: string;
        };
        /** The active session that the token belongs to; null if there is none. */
        CurrentSession: {
            /** The session. */
            id: string;
            /** The member who is logged in. */
            memberId: string;
            /** How the member logged in, as in the event `member.login`; null in older sessions. */
            method: "link" | "code" | "passkey" | "provider" | null;
            /** When the member logged in. */
            createdAt: string;
            /** When the session was last used, to the hour. */
            lastSeenAt: string;
            /** When the session expires unless it is used before then. */
            expiresAt: string;
            /** The `User-Agent` of the browser; null if it sent none. */
            userAgent: string | null;
            /** The IP address from which the member logged in. */
            ipAddress: string | null;
        } | null;
        /** The decision for each of the requests. */
        DecideJoinRequests: components["schemas"]["ApproveJoinRequests"] | components["schemas"]["DeclineJoinRequests"];
        DeclineJoinRequests: {
            /**
             * Each person gets an email, and can ask again after 30 days.
             */
            decision: "decline";
            /** The requests, 1 to 500. Duplicates count once. */
            joinRequestIds: string[];
        };
        /** The texts of Gatehouse. */
        DefaultEmailTexts: {
            /** The greeting. */
            greeting: string;
        };
        /** Why an attempt failed. */
        DeliveryError: {
            /** What happened, for programs. `status`: the status was not from 200 to 299. `event_deleted`: the event is older than events are retained. `disabled`: the webhook was disabled before. */
            code: "status" | "name_not_found" | "connection_failed" | "tls_failed" | "timed_out" | "invalid_response" | "url_not_allowed" | "address_not_allowed" | "redirect_not_allowed" | "event_deleted" | "disabled";
            /** What happened and what to do next, for people. */
            message: string;
        };
        /** What the event is about. Null for a test, for an event about nothing in particular, if the event is no longer stored, and if the caller lacks `events:read`. */
        DeliveryObject: {
            /** What it is. */
            type: "member" | "access_group" | "source" | "webhook" | "invitation" | "join_request" | "page_code" | "login_provider" | "api_key" | "operator" | "signing_key" | "site";
            /** Its id. */
            id: string;
            /** Its name: of a member the display name, or the email address without one. Null if it has none or was deleted, and for callers who may not read such objects. */
            name: string | null;
        };
        /** An email of the site. Emails are retained for 30 days. */
        Email: {
            /** The email. */
            id: string;
            /** `login_link`: logs a member in. `invitation`: invites a person to become an operator of a site. `session_limit`: tells a member that a login has ended older sessions. `webhook_disabled`: tells an owner or an administrator that a webhook was disabled. `new_passkey` and `passkey_removed`: tell a member about a passkey that was added or removed. `new_browser`: tells an operator about a login in a new browser; it is in the list of no site. `member_invitation`: invites a person to become a member. `join_requests`: tells an operator how many people ask to join. `join_request_approved` and `join_request_declined`: tell a person about the decision. `page_codes_paused`: tells an operator that chosen page codes are not accepted for an hour. `address_code`: brings a member the code for a new email address, or tells another member who has it. `address_changed`: goes to the former email address of a member, with a link that takes the change back. `account_linked`: tells a member that an account at a login provider can be used to log in. `mail_test`: a test of the mail server, to the operator who has requested it. */
            type: "login_link" | "invitation" | "session_limit" | "webhook_disabled" | "new_passkey" | "new_browser" | "member_invitation" | "join_requests" | "join_request_approved" | "join_request_declined" | "page_codes_paused" | "address_code" | "address_changed" | "passkey_removed" | "account_linked" | "mail_test";
            /** The email address that the email is sent to. */
            recipient: string;
            /** The member whom the email is sent to; null if the recipient is not a member. */
            memberId: string | null;
            /**
             * `waiting`: in the queue. `sent`: accepted by the mail server. `not_sent`: no mail server is configured; the content can be read here for a day. `failed`: rejected by the mail server, or the mail server was unavailable for too long.
             */
            status: "waiting" | "sent" | "not_sent" | "failed";
            /** The number of delivery attempts. */
            attempts: number;
            /** The time of the next attempt; null unless the email is waiting. */
            nextAttemptAt: string | null;
            /** Why the last attempt failed; null if none failed or the email has been sent. */
            lastError: string | null;
            /** What the mail server said about the email at the last attempt, at most 300 characters on one line. URLs, and what could be a token, are replaced by `[…]`. Null if it said nothing, or repeated a secret. */
            mailServerReply: string | null;
            /** The subject, without the login code. */
            subject: string;
            /** When the email was created. */
            createdAt: string;
            /** When the mail server accepted it; null if it did not. */
            sentAt: string | null;
        };
        EmailBudgetExhaustedData: {
            /** `mailbox`: emails of one type into one mailbox. `sender`: emails of one type from one API key or operator to one person. `sign_up`: emails of the site to people who are not members yet. `known_browser`: login emails that one known browser requests for its member. */
            budget: "mailbox" | "sender" | "sign_up" | "known_browser";
            /** The maximum number of emails in an hour. */
            limit: number;
            /** The member whose email was not sent; null if the recipient is not a member. The email address of a recipient who is not a member is never included. */
            memberId: string | null;
            /** When emails are sent again, at the end of the hour. */
            resetsAt: string;
        };
        /** An event of the type `email-budget.exhausted`. */
        EmailBudgetExhaustedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "email-budget.exhausted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["EmailBudgetExhaustedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `email-budget.exhausted`. */
        EmailBudgetExhaustedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "email-budget.exhausted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["EmailBudgetExhaustedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The texts of the site in its emails in one language. */
        EmailTexts: {
            /** The language tag (RFC 5646). */
            language: string;
            /** The line with which emails begin, of 1 to 100 characters. It has no URLs or email addresses. Null for `defaults.greeting`. */
            greeting: string | null;
            /** The last paragraph of emails, such as who sends them, of 1 to 500 characters; it may have line breaks. It has no URLs or email addresses. Null for none. */
            closing: string | null;
            /** A paragraph after the greeting, in login emails to members who have never logged in and in emails about an approved request to join, of 1 to 500 characters; it may have line breaks. It has no URLs or email addresses. Null for none. */
            welcome: string | null;
            defaults: components["schemas"]["DefaultEmailTexts"];
        };
        /** An email with its content. */
        EmailWithContent: {
            /** The email. */
            id: string;
            /** `login_link`: logs a member in. `invitation`: invites a person to become an operator of a site. `session_limit`: tells a member that a login has ended older sessions. `webhook_disabled`: tells an owner or an administrator that a webhook was disabled. `new_passkey` and `passkey_removed`: tell a member about a passkey that was added or removed. `new_browser`: tells an operator about a login in a new browser; it is in the list of no site. `member_invitation`: invites a person to become a member. `join_requests`: tells an operator how many people ask to join. `join_request_approved` and `join_request_declined`: tell a person about the decision. `page_codes_paused`: tells an operator that chosen page codes are not accepted for an hour. `address_code`: brings a member the code for a new email address, or tells another member who has it. `address_changed`: goes to the former email address of a member, with a link that takes the change back. `account_linked`: tells a member that an account at a login provider can be used to log in. `mail_test`: a test of the mail server, to the operator who has requested it. */
            type: "login_link" | "invitation" | "session_limit" | "webhook_disabled" | "new_passkey" | "new_browser" | "member_invitation" | "join_requests" | "join_request_approved" | "join_request_declined" | "page_codes_paused" | "address_code" | "address_changed" | "passkey_removed" | "account_linked" | "mail_test";
            /** The email address that the email is sent to. */
            recipient: string;
            /** The member whom the email is sent to; null if the recipient is not a member. */
            memberId: string | null;
            /**
             * `waiting`: in the queue. `sent`: accepted by the mail server. `not_sent`: no mail server is configured; the content can be read here for a day. `failed`: rejected by the mail server, or the mail server was unavailable for too long.
             */
            status: "waiting" | "sent" | "not_sent" | "failed";
            /** The number of delivery attempts. */
            attempts: number;
            /** The time of the next attempt; null unless the email is waiting. */
            nextAttemptAt: string | null;
            /** Why the last attempt failed; null if none failed or the email has been sent. */
            lastError: string | null;
            /** What the mail server said about the email at the last attempt, at most 300 characters on one line. URLs, and what could be a token, are replaced by `[…]`. Null if it said nothing, or repeated a secret. */
            mailServerReply: string | null;
            /** The subject, without the login code. */
            subject: string;
            /** When the email was created. */
            createdAt: string;
            /** When the mail server accepted it; null if it did not. */
            sentAt: string | null;
            /** The content as plain text. Requires the permission `login-links:write`, because anyone who reads a login link can log in as that member. Null without this permission, for a key that expires, and after the content has been purged. */
            text: string | null;
            /** The content as HTML, under the same conditions. */
            html: string | null;
        };
        /** The sessions that have ended. */
        EndedSessions: {
            /** How many there were. */
            count: number;
        };
        /** Memberships that end in a short time, without those of blocked members. */
        EndingMemberships: {
            /** Those that end in the next 14 days. */
            soon: number;
            /** Those that end in the rest of the current month, in the requested time zone. */
            thisMonth: number;
        };
        /** The page code by which access is allowed; null if it does not depend on one. The page must not be shown as that of a member, also if one is logged in. */
        EnteredPageCode: {
            /** The page code. */
            id: string;
            /** What it is for. Programs behind the gate see it in the header `Remote-Page-Code`. At most 100 characters. */
            label: string;
        } | null;
        ErasedEventData: {
            /** The member. */
            memberId: string;
            /**
             * Always true.
             */
            erased: true;
        };
        /** The body of every response with a status of 400 and above. */
        ErrorBody: {
            /** The error. */
            error: {
                /** What happened, for programs. New codes may be added; for an unknown code, use the status. */
                code: "invalid_request" | "invalid_json" | "invalid_cursor" | "invalid_email" | "invalid_display_name" | "invalid_registered_at" | "missing_api_key" | "invalid_api_key" | "permission_denied" | "login_not_recent" | "passkey_required" | "scope_group_read_only" | "not_found" | "member_not_found" | "access_group_not_found" | "membership_not_found" | "session_not_found" | "access_token_not_found" | "passkey_not_found" | "key_not_found" | "operator_not_found" | "email_not_found" | "source_not_found" | "source_run_not_found" | "collection_not_found" | "webhook_not_found" | "webhook_delivery_not_found" | "invitation_not_found" | "join_request_not_found" | "page_code_not_found" | "login_provider_not_found" | "identity_not_found" | "method_not_allowed" | "request_timeout" | "email_taken" | "access_group_name_taken" | "already_in_group" | "site_domain_taken" | "site_slug_taken" | "site_domain_missing" | "signing_key_missing" | "member_blocked" | "email_not_resendable" | "too_many_access_tokens" | "key_not_in_force" | "operator_exists" | "source_name_taken" | "source_is_read" | "source_is_uploaded" | "source_without_webhook" | "too_many_webhooks" | "webhook_disabled" | "webhook_replays" | "list_incomplete" | "list_in_use" | "already_invited" | "invitation_not_active" | "invitation_without_email" | "join_request_decided" | "invitation_used_up" | "page_code_taken" | "too_many_page_codes" | "login_provider_issuer_taken" | "too_many_login_providers" | "last_owner" | "idempotency_in_progress" | "precondition_failed" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "workspace_rejected" | "collection_unreadable" | "page_not_public" | "page_redirected" | "page_not_html" | "rate_limited" | "email_budget_exhausted" | "too_many_streams" | "headers_too_large" | "internal_error" | "workspace_unavailable" | "page_unavailable" | "unavailable";
                /** What happened and what to do next, for people. May change at any time. */
                message: string;
                /** The request, as in the `X-Request-Id` header. Include it when you contact support. */
                requestId: string;
                /** The invalid values, if the error is about single fields. */
                details?: components["schemas"]["ErrorDetail"][];
            };
        };
        /** An invalid value in the request. */
        ErrorDetail: {
            /** JSON Pointer into the body, or `/` and the name of a path or query parameter. */
            path: string;
            /** What is wrong and how to correct it. */
            message: string;
        };
        /** An event of the site; `type` determines its schema. Types may be added, so ignore types that you do not know. When a member is deleted, the data of earlier events about that member is reduced to `memberId` and `erased: true`. When an operator is removed, email address and name are removed from the event of the invitation. */
        Event: components["schemas"]["MemberCreatedEvent"] | components["schemas"]["MemberUpdatedEvent"] | components["schemas"]["MemberDeletedEvent"] | components["schemas"]["MemberBlockedEvent"] | components["schemas"]["MemberUnblockedEvent"] | components["schemas"]["AccessGroupCreatedEvent"] | components["schemas"]["AccessGroupUpdatedEvent"] | components["schemas"]["AccessGroupDeletedEvent"] | components["schemas"]["AccessGroupMemberAddedEvent"] | components["schemas"]["AccessGroupMemberUpdatedEvent"] | components["schemas"]["AccessGroupMemberRemovedEvent"] | components["schemas"]["AccessGroupMemberExpiredEvent"] | components["schemas"]["ApiKeyCreatedEvent"] | components["schemas"]["ApiKeyRotatedEvent"] | components["schemas"]["ApiKeyRevokedEvent"] | components["schemas"]["SigningKeyCreatedEvent"] | components["schemas"]["OperatorInvitedEvent"] | components["schemas"]["OperatorUpdatedEvent"] | components["schemas"]["OperatorRemovedEvent"] | components["schemas"]["OperatorLoginEvent"] | components["schemas"]["InvitationCreatedEvent"] | components["schemas"]["InvitationUpdatedEvent"] | components["schemas"]["InvitationSentEvent"] | components["schemas"]["InvitationRedeemedEvent"] | components["schemas"]["InvitationRevokedEvent"] | components["schemas"]["JoinRequestCreatedEvent"] | components["schemas"]["JoinRequestApprovedEvent"] | components["schemas"]["JoinRequestDeclinedEvent"] | components["schemas"]["PageCodeCreatedEvent"] | components["schemas"]["PageCodeUpdatedEvent"] | components["schemas"]["PageCodeUsedEvent"] | components["schemas"]["PageCodeRevokedEvent"] | components["schemas"]["PageCodePausedEvent"] | components["schemas"]["LoginProviderCreatedEvent"] | components["schemas"]["LoginProviderUpdatedEvent"] | components["schemas"]["LoginProviderDeletedEvent"] | components["schemas"]["SourceCreatedEvent"] | components["schemas"]["SourceUpdatedEvent"] | components["schemas"]["SourceDeletedEvent"] | components["schemas"]["SourceSyncedEvent"] | components["schemas"]["SourceFailedEvent"] | components["schemas"]["WebhookCreatedEvent"] | components["schemas"]["WebhookUpdatedEvent"] | components["schemas"]["WebhookDeletedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["SiteCreatedEvent"] | components["schemas"]["SiteUpdatedEvent"] | components["schemas"]["HostClaimRefusedEvent"] | components["schemas"]["AccessRulesUpdatedEvent"] | components["schemas"]["EmailBudgetExhaustedEvent"] | components["schemas"]["MemberLoginEvent"] | components["schemas"]["LoginLinkCreatedEvent"] | components["schemas"]["SessionRevokedEvent"] | components["schemas"]["SessionEvictedEvent"] | components["schemas"]["MemberIdentityLinkedEvent"] | components["schemas"]["MemberIdentityRemovedEvent"] | components["schemas"]["AccessTokenCreatedEvent"] | components["schemas"]["AccessTokenDeletedEvent"] | components["schemas"]["MemberPasskeyAddedEvent"] | components["schemas"]["MemberPasskeyRemovedEvent"];
        /** A summary of the events that one request caused. */
        EventGroup: {
            /** The oldest event of the group. */
            id: string;
            /** The number of events in the group. */
            count: number;
            /** The types of the events, in the order in which they first happened. */
            types: components["schemas"]["EventGroupType"][];
        };
        /** The events of one type: their number and the oldest of them. */
        EventGroupType: {
            /** A type of event. */
            type: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed";
            /** The number of events of this type. */
            count: number;
            first: components["schemas"]["Event"];
        };
        /** The message of any event, for a webhook with the content `ids`. */
        EventIdsMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /** What happened. */
            type: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the event. */
            version: number;
            /**
             * `data` has only ids.
             */
            content: "ids";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The ids in the details of the event, such as `memberId`. */
            data: {
                [key: string]: unknown;
            };
        };
        /** Server-sent events. The `data` of each is an `Event` as JSON. */
        EventStream: string;
        /** An email that could not be sent. */
        FailedEmail: {
            /** The email. */
            id: string;
            /** `login_link`: logs a member in. `invitation`: invites a person to become an operator of a site. `session_limit`: tells a member that a login has ended older sessions. `webhook_disabled`: tells an owner or an administrator that a webhook was disabled. `new_passkey` and `passkey_removed`: tell a member about a passkey that was added or removed. `new_browser`: tells an operator about a login in a new browser; it is in the list of no site. `member_invitation`: invites a person to become a member. `join_requests`: tells an operator how many people ask to join. `join_request_approved` and `join_request_declined`: tell a person about the decision. `page_codes_paused`: tells an operator that chosen page codes are not accepted for an hour. `address_code`: brings a member the code for a new email address, or tells another member who has it. `address_changed`: goes to the former email address of a member, with a link that takes the change back. `account_linked`: tells a member that an account at a login provider can be used to log in. `mail_test`: a test of the mail server, to the operator who has requested it. */
            type: "login_link" | "invitation" | "session_limit" | "webhook_disabled" | "new_passkey" | "new_browser" | "member_invitation" | "join_requests" | "join_request_approved" | "join_request_declined" | "page_codes_paused" | "address_code" | "address_changed" | "passkey_removed" | "account_linked" | "mail_test";
            /** The email address that the email is sent to. */
            recipient: string;
            /** The member whom the email is sent to; null if the recipient is not a member. */
            memberId: string | null;
            /** Why the last attempt failed; null if none failed or the email has been sent. */
            lastError: string | null;
            /** What the mail server said about the email at the last attempt, at most 300 characters on one line. URLs, and what could be a token, are replaced by `[…]`. Null if it said nothing, or repeated a secret. */
            mailServerReply: string | null;
            /** When the email was created. */
            createdAt: string;
        };
        FailingWebhook: {
            /** The webhook. */
            id: string;
            /** The host of its URL. */
            host: string;
            /** What it is for; may be empty. */
            description: string;
            /** Its status. */
            status: "failing" | "disabled";
            /** Why it was disabled; null if it is failing. */
            disabledReason: "gone" | "failing" | null;
            /** Since when every attempt has failed. */
            failingSince: string | null;
        };
        /** A member who was looked up. */
        FoundMember: {
            /** The member. */
            id: string;
            /** Email address, normalized to lowercase. */
            email: string;
            /** Display name; null when not set. */
            displayName: string | null;
            /**
             * `active`: may access the site. `blocked`: is denied access.
             */
            status: "active" | "blocked";
            /** Whether the member is marked as a paying customer. */
            paid: boolean | null;
            /** The groups that the member belongs to, sorted by name. */
            accessGroups: components["schemas"]["FoundMembership"][];
        };
        FoundMembership: {
            /** The access group. */
            id: string;
            /** Its display name. */
            name: string;
            /** When the membership expires; null if it does not. */
            expiresAt: string | null;
        };
        GroupAccessRule: {
            /** The path starts with `/` and has no percent-encoding and no query; `/` is the whole site. Its last name may end in `*`: `/blog/premium-*` is every path in `/blog` whose name begins with `premium-`. */
            path: string;
            /**
             * `folder` (default): the rule applies to the path and to everything below it that has no rule of its own. `page`: it applies only to the path itself and, if that is a folder, to its index page. A request with another method than GET and HEAD, or with a query, must also meet the rule that would apply without this one, because programs may show another page for it, as for `/?p=7`, or change something. `queryParameters` lists exceptions.
             */
            appliesTo?: "folder" | "page";
            /** Parameters that do not choose another page. A query of only these is treated as no query. Only with `appliesTo: page`. */
            queryParameters?: string[];
            /** The hosts that the rule applies to. If left out, it applies to all hosts. On its hosts, the rule replaces the rule for all hosts with the same `path` and `appliesTo`. A rule for a folder also replaces the rule for all hosts for the page of that folder. */
            hosts?: string[];
            /** Whether programs can send the access token of a member in the query (`?access_token=gmt_…`) where this rule applies: for podcast apps and feed readers that know only a URL. Defaults to false. */
            acceptsTokenInUrl?: boolean;
            /** Whether one program receives everything below this path as it is, also paths that servers read in different ways: `/pluginfile.php/7/plan.pdf`, `/api/queues/%2F/jobs`, `/wiki/C%23`. A path that a server may read as one outside is still denied. No other rule can be for a path below it, or for only its page. Access tokens for a path below it do not count. Defaults to false. */
            programPaths?: boolean;
            /** Whether CORS preflights pass without a login where this rule applies: `OPTIONS` with `Origin` and `Access-Control-Request-Method`, without cookies, `Authorization` and a body. The program answers them. For a rule for a page, a query that is not in `queryParameters` also needs it on the rule of the folder. Defaults to false. */
            preflights?: boolean;
            /**
             * Members who are not blocked and belong to the groups in `groupIds` have access.
             */
            access: "groups";
            /** The groups. */
            groupIds: string[];
            /**
             * `any` (default): one of the groups is enough. `all`: every group is required.
             */
            match?: "any" | "all";
        };
        /** A value of the claim of groups, and the access group that follows it. */
        GroupMapping: {
            /** A value of the claim. */
            value: string;
            /** The custom group whose membership follows it. */
            accessGroupId: string;
        };
        /** A member in the list of the members of an access group. */
        GroupMember: {
            /** The member. */
            id: string;
            /** Email address, normalized to lowercase. */
            email: string;
            /** Display name; null when not set. */
            displayName: string | null;
            /**
             * `active`: may access the site. `blocked`: is denied access.
             */
            status: "active" | "blocked";
            /** Whether the email address was verified by a login link; null if unknown. */
            verified: boolean | null;
            /** Whether the member is marked as a paying customer. */
            paid: boolean | null;
            /** When the member first registered: used a login link or was added. */
            registeredAt: string | null;
            /** Last login through a login link. */
            lastLoginAt: string | null;
        };
        GroupToDelete: {
            /** The group. */
            groupId: string;
            /** Its name. */
            name: string;
        };
        HostClaimRefusedData: {
            /** The host of the site, with the port if it is not the default port. */
            domain: string;
            /** The host that another site of the installation tried to take: the same name, possibly with or without `www.`, or on another port. Recorded at most once an hour for each name; the other site is not named. */
            claimed: string;
        };
        /** An event of the type `host-claim.refused`. */
        HostClaimRefusedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "host-claim.refused";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["HostClaimRefusedData"];
        };
        /** The message of an event of the type `host-claim.refused`. */
        HostClaimRefusedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "host-claim.refused";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["HostClaimRefusedData"];
        };
        /** An account at a login provider with which a member logs in. Issuer and subject identify it. */
        Identity: {
            /** The identity. */
            id: string;
            /** The member who logs in with it. */
            memberId: string;
            /** The login provider. */
            providerId: string;
            /** The name of the login provider. */
            providerName: string;
            /** The issuer of the login provider. */
            issuer: string;
            /** The account at the issuer. */
            subject: string;
            /** The email address that the provider named when the account was linked; null if it named none. */
            email: string | null;
            /** How the member knows the account, such as its email address. */
            label: string;
            /** When the account was linked. */
            createdAt: string;
            /** When the member last logged in with it; null if never. */
            lastUsedAt: string | null;
        };
        /** The headers with which the gate tells the proxy who the visitor is. The configuration of the proxy must use the same names. Two headers cannot have the same name, and none can have a name with a meaning of its own, such as `cookie`. */
        IdentityHeaders: {
            /**
             * How the name and the groups are written. `percent`: percent-encoded UTF-8 (RFC 3986, section 2.1), so that each header is plain ASCII. `utf8`: UTF-8, without control characters; in names of groups, a comma is `%2C` and a percent sign `%25`, because a comma separates them.
             */
            encoding: "percent" | "utf8";
            /** The header with the id of the member. Null sends no such header. */
            user: string | null;
            /** The header with the email address. Null sends no such header. */
            email: string | null;
            /** The header with the display name. Null sends no such header. */
            name: string | null;
            /** The header with the names of the access groups, separated by commas. Null sends no such header. */
            groups: string | null;
            /** The header with an identity token: a JSON Web Token (RFC 7519) that proves who the member is to a program behind the proxy. Null (the default) sends none. It requires a signing key: see `POST /site/signing-keys`. */
            signed: string | null;
        };
        /** A link with which people become members, or join groups. */
        Invitation: {
            /** The invitation. */
            id: string;
            /** For operators only: nobody who is invited sees it. At most 500 characters. */
            note: string;
            /** The only email address for which the invitation works; null if it works for everyone who has the link. */
            email: string | null;
            /** The custom groups that those who join are added to. A group that has been deleted is ignored. */
            accessGroupIds: string[];
            /** When the memberships in the groups expire, a time in the future; null if they do not, or if `membershipDays` says it. */
            membershipExpiresAt: string | null;
            /** After how many days from joining the memberships expire; null if they do not, or if `membershipExpiresAt` says it. */
            membershipDays: number | null;
            /** How many people can join with it, at most 10,000; null for any number. An invitation with `email` works once. */
            maxUses: number | null;
            /** How many people have joined with it. */
            usedCount: number;
            /** The email domains of those who can join: the part after the `@`; subdomains do not match. Empty for any. */
            emailDomains: string[];
            /** Whether joining only creates a request to join, which an operator decides. A use is then counted at the approval. */
            needsApproval: boolean;
            /** The language of its email, one of `languages` of the site; null for the first of them. */
            language: string | null;
            /** Until when people can join with it, at the latest until `membershipExpiresAt`. */
            expiresAt: string;
            /** `active`: people can join with it. `used_up`: it was used `maxUses` times. `expired`: it is past `expiresAt`. `revoked`: it was revoked, or the API key or operator that made it no longer exists. */
            status: "active" | "used_up" | "expired" | "revoked";
            /** The link. Anyone who has it can try to join. For callers with the permissions to create the invitation; of one with `email` only in the response that creates it, and null if it is sent. */
            url: string | null;
            /** When its email was last sent; null if it was not. */
            sentAt: string | null;
            /** When it was created. */
            createdAt: string;
            /** When it was last changed or sent. */
            updatedAt: string;
        };
        InvitationCreatedData: {
            /** The invitation. */
            invitationId: string;
            /** The groups that those who join are added to. */
            accessGroupIds: string[];
            /** Whether it works for one email address only. */
            isForAddress: boolean;
            /** Until when people can join with it. */
            expiresAt: string;
        };
        /** An event of the type `invitation.created`. */
        InvitationCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["InvitationCreatedData"];
        };
        /** The message of an event of the type `invitation.created`. */
        InvitationCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["InvitationCreatedData"];
        };
        InvitationRedeemedData: {
            /** The invitation. */
            invitationId: string;
            /** The member. */
            memberId: string;
            /** Whether the person became a member by it. */
            isNewMember: boolean;
        };
        /** An event of the type `invitation.redeemed`. */
        InvitationRedeemedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.redeemed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["InvitationRedeemedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `invitation.redeemed`. */
        InvitationRedeemedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.redeemed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["InvitationRedeemedData"] | components["schemas"]["ErasedEventData"];
        };
        /** A member who has joined with an invitation. */
        InvitationRedemption: {
            /** The redemption. */
            id: string;
            /** The member. */
            member: {
                /** The member. */
                id: string;
                /** Email address, normalized to lowercase. */
                email: string;
                /** Display name; null when not set. */
                displayName: string | null;
                /**
                 * `active`: may access the site. `blocked`: is denied access.
                 */
                status: "active" | "blocked";
                /** Whether the member is marked as a paying customer. */
                paid: boolean | null;
            };
            /** Whether the person became a member by it. Otherwise a member joined groups. */
            isNewMember: boolean;
            /** When the member joined. */
            redeemedAt: string;
        };
        InvitationRevokedData: {
            /** The invitation. */
            invitationId: string;
            /** `request`: somebody revoked it. `maker_removed`: the API key or operator that made it was revoked or removed. */
            reason: "request" | "maker_removed";
        };
        /** An event of the type `invitation.revoked`. */
        InvitationRevokedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.revoked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["InvitationRevokedData"];
        };
        /** The message of an event of the type `invitation.revoked`. */
        InvitationRevokedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.revoked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["InvitationRevokedData"];
        };
        InvitationSentData: {
            /** The invitation. */
            invitationId: string;
        };
        /** An event of the type `invitation.sent`. */
        InvitationSentEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.sent";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["InvitationSentData"];
        };
        /** The message of an event of the type `invitation.sent`. */
        InvitationSentMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.sent";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["InvitationSentData"];
        };
        InvitationUpdatedData: {
            /** The invitation. */
            invitationId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `invitation.updated`. */
        InvitationUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["InvitationUpdatedData"];
        };
        /** The message of an event of the type `invitation.updated`. */
        InvitationUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "invitation.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["InvitationUpdatedData"];
        };
        InviteOperator: {
            /** Exactly one email address. It is trimmed and converted to lowercase, its domain is turned into the ASCII form, and the result must be a valid email address of at most 254 characters, 64 before the `@`. */
            email: string;
            /**
             * What the operator may do. `owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything except API keys, block members and send login links. `viewer`: can view everything except API keys.
             */
            role: "owner" | "admin" | "support" | "viewer";
            /** Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without control characters. */
            displayName?: string | null;
        };
        /** A person who asks to become a member, or a member who asks for access. */
        JoinRequest: {
            /** The request. */
            id: string;
            /** The email address, which the person has verified. */
            email: string;
            /** The name that the person entered, or had as a member, at most 200 characters; null if none. */
            displayName: string | null;
            /** What the person wrote, as plain text of at most 500 characters; null if nothing. Anyone can write anything here. */
            message: string | null;
            /** The path of the site from which the person came; null if none is known. */
            path: string | null;
            /** The member with this email address, also after the approval; null if there is none. */
            memberId: string | null;
            /** The invitation with which the person came; null if there was none. */
            invitationId: string | null;
            /** The groups of that invitation. They are a proposal: the approval names the groups. */
            requestedGroupIds: string[];
            /** `pending`: it waits for a decision. `approved`, `declined`: it was decided. `expired`: nobody decided for 30 days. */
            status: "pending" | "approved" | "declined" | "expired";
            /** When the person asked. */
            createdAt: string;
            /** When a pending request expires; null for others. */
            expiresAt: string | null;
            /** When it was decided; null if it was not. */
            decidedAt: string | null;
            decidedBy: components["schemas"]["Actor"] | null;
        };
        /** A request that was approved. */
        JoinRequestApproved: {
            /** The request. */
            joinRequestId: string;
            /**
             * The person is a member.
             */
            status: "approved";
            /** The member. */
            memberId: string;
        };
        JoinRequestApprovedData: {
            /** The request to join. */
            joinRequestId: string;
            /** The member. */
            memberId: string;
        };
        /** An event of the type `join-request.approved`. */
        JoinRequestApprovedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.approved";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["JoinRequestApprovedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `join-request.approved`. */
        JoinRequestApprovedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.approved";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["JoinRequestApprovedData"] | components["schemas"]["ErasedEventData"];
        };
        JoinRequestCreatedData: {
            /** The request to join. */
            joinRequestId: string;
            /** The member with the email address of the request; null if there is none. */
            memberId: string | null;
            /** The path from which the person came; null if none is known. */
            path: string | null;
        };
        /** An event of the type `join-request.created`. */
        JoinRequestCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["JoinRequestCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `join-request.created`. */
        JoinRequestCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["JoinRequestCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The result for one request; `status` determines its schema. */
        JoinRequestDecision: components["schemas"]["JoinRequestApproved"] | components["schemas"]["JoinRequestDeclined"] | components["schemas"]["JoinRequestNotDecided"];
        /** A request that was declined. */
        JoinRequestDeclined: {
            /** The request. */
            joinRequestId: string;
            /**
             * The request was declined.
             */
            status: "declined";
        };
        JoinRequestDeclinedData: {
            /** The request to join. */
            joinRequestId: string;
            /** The member with the email address of the request; null if there is none. */
            memberId: string | null;
        };
        /** An event of the type `join-request.declined`. */
        JoinRequestDeclinedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.declined";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["JoinRequestDeclinedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `join-request.declined`. */
        JoinRequestDeclinedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "join-request.declined";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["JoinRequestDeclinedData"] | components["schemas"]["ErasedEventData"];
        };
        /** A request that was not decided. */
        JoinRequestNotDecided: {
            /** The request. */
            joinRequestId: string;
            /**
             * `conflict`: it has been decided already, or has expired. `error`: any other failure.
             */
            status: "conflict" | "error";
            /** Why it was not decided. */
            error: {
                /** Why it was not decided. */
                code: "join_request_not_found" | "join_request_decided" | "member_blocked" | "invitation_used_up";
                /** The reason in words. */
                message: string;
            };
        };
        /** The result in numbers: `decided` plus `failed` equals `total`. */
        JoinRequestSummary: {
            /** Requests submitted. */
            total: number;
            /** Requests that were decided. */
            decided: number;
            /** Requests with the status `conflict` or `error`. */
            failed: number;
        };
        KeyCreatedData: {
            /** The API key. */
            keyId: string;
            /** The name of the key. */
            name: string;
            /** The permissions of the key. */
            permissions: ("members:read" | "members:write" | "members:block" | "access-groups:read" | "access-groups:write" | "events:read" | "webhooks:read" | "webhooks:write" | "sources:read" | "sources:write" | "site:read" | "site:write" | "login-links:send" | "login-links:write" | "login-providers:write" | "api-keys:read" | "api-keys:write" | "operators:read" | "operators:write" | "emails:read" | "invitations:read" | "invitations:write" | "join-requests:read" | "join-requests:write")[];
            /** When the key expires; null if it does not. */
            expiresAt: string | null;
        };
        KeyRevokedData: {
            /** The API key. */
            keyId: string;
        };
        KeyRotatedData: {
            /** The API key. */
            keyId: string;
            /** The key that replaces it. */
            replacedBy: string;
            /** Until when the old key works. */
            expiresAt: string;
        };
        /** A person in an uploaded list. */
        ListedPerson: {
            /** The email address. Someone without a valid one is skipped and reported; while there is an invalid one, nobody is removed. A value such as `#REF!` in any field changes nothing for the person. */
            email: string;
            /** The name; null if there is none. If left out, the member keeps the current name. */
            displayName?: string | null;
            /** Whether the person is paying. If left out, the member keeps the current value. */
            paid?: boolean;
            /** The groups of the person, each a scope group of the source. If left out, the person is in the group of the collection. */
            groups?: string[];
        };
        /** The member who is logged in; null for an anonymous visitor. */
        LoggedInMember: {
            /** The member. */
            id: string;
            /** Email address, normalized to lowercase. */
            email: string;
            /** Display name; null when not set. */
            displayName: string | null;
            /**
             * `active`: may access the site. `blocked`: is denied access.
             */
            status: "active" | "blocked";
            /** Whether the email address was verified by a login link; null if unknown. */
            verified: boolean | null;
            /** Whether the member is marked as a paying customer. */
            paid: boolean | null;
            /** When the member first registered: used a login link or was added. */
            registeredAt: string | null;
            /** Last login through a login link. */
            lastLoginAt: string | null;
            /** When the member last used the site in a session, to the hour. */
            lastSeenAt: string | null;
            /** When the record was created. */
            createdAt: string | null;
            /** When the record was last changed. */
            updatedAt: string | null;
            /** The groups that the member belongs to. */
            accessGroups: components["schemas"]["AccessGroupReference"][];
        } | null;
        /** A link that logs a member in once. */
        LoginLink: {
            /** The login link. */
            id: string;
            /** The member whom it logs in. */
            memberId: string;
            /** The link itself. Anyone who has it can log in as this member. Only for keys with `login-links:write`; null if the link is emailed. */
            url: string | null;
            /** Whether the link is emailed to the member. */
            sent: boolean;
            /** When the link expires. It works once. If the email has to wait for the mail server, the lifetime starts when the email is sent. */
            expiresAt: string;
        };
        LoginLinkCreatedData: {
            /** The member. */
            memberId: string;
            /** The login link. */
            loginLinkId: string;
            /** Whether the link was emailed to the member. Otherwise it was returned to the caller. */
            sent: boolean;
        };
        /** An event of the type `login-link.created`. */
        LoginLinkCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "login-link.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["LoginLinkCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `login-link.created`. */
        LoginLinkCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "login-link.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["LoginLinkCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** How many members use each way to log in. */
        LoginMethods: {
            passkeys: {
                /** The members who have a passkey. */
                members: number;
            };
            /** The login providers of the site, oldest first. */
            providers: {
                /** The login provider. */
                id: string;
                /** The members who have linked an account there. */
                members: number;
            }[];
            /** The sessions of members that have not expired, by how they were opened. */
            sessions: {
                /** With the link in an email. */
                link: number;
                /** With the code in an email. */
                code: number;
                /** With a passkey. */
                passkey: number;
                /** With an account at a login provider. */
                provider: number;
                /** In older sessions, of which that is not known. */
                unknown: number;
            };
        };
        /** A server where members have an account with which they can log in. */
        LoginProvider: {
            /** The login provider. */
            id: string;
            /** `oidc`: any server with OpenID Connect, such as Keycloak. `google`, `microsoft` (Entra ID), `github`, `apple`. It never changes. */
            type: "oidc" | "google" | "microsoft" | "github" | "apple";
            /** Its name on the login page. At most 100 characters. */
            name: string;
            /** The issuer of its ID tokens, exactly as the server names it. With the subject it identifies an account. It never changes. */
            issuer: string;
            /** The client ID that the provider has given to this site. */
            clientId: string;
            /** Of `microsoft`: the ID of the directory; null for other types. */
            tenant: string | null;
            /** Of `apple`: the ID of the team; null for other types. */
            teamId: string | null;
            /** Of `apple`: the ID of the private key; null for other types. */
            privateKeyId: string | null;
            /** `claim`: an email address counts as verified if the provider says so at the login. `never`: not even then. `always`: every email address counts, for `oidc` only: anyone who can choose one there can log in as the member who has it. */
            emailTrust: "claim" | "never" | "always";
            /** The claim with the groups of an account; null if they are not used. */
            groupsClaim: string | null;
            /** Which custom groups follow the values of the claim at each login. At most 100. */
            groupMap: components["schemas"]["GroupMapping"][];
            /** Whether the login page offers it. */
            enabled: boolean;
            /** The redirect URI to enter at the provider, which ends in its issuer without the scheme; null while the site has no domain. */
            redirectUri: string | null;
            /** The members who have linked an account there. */
            memberCount: number;
            /** When it was created. */
            createdAt: string;
            /** When it was last changed. */
            updatedAt: string;
        };
        /** One part of the settings. */
        LoginProviderCheck: {
            /** The part that was checked. */
            check: "issuer" | "clock" | "secret" | "redirect_uri";
            /** `unknown`: the provider does not say it. */
            status: "ok" | "failed" | "unknown";
            /** What was found and what to do, for people. */
            message: string;
        };
        LoginProviderCreatedData: {
            /** The login provider. */
            providerId: string;
            /** Its name. */
            name: string;
            /** Its issuer. */
            issuer: string;
        };
        /** An event of the type `login-provider.created`. */
        LoginProviderCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["LoginProviderCreatedData"];
        };
        /** The message of an event of the type `login-provider.created`. */
        LoginProviderCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["LoginProviderCreatedData"];
        };
        LoginProviderDeletedData: {
            /** The login provider. */
            providerId: string;
            /** Its name. */
            name: string;
        };
        /** An event of the type `login-provider.deleted`. */
        LoginProviderDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["LoginProviderDeletedData"];
        };
        /** The message of an event of the type `login-provider.deleted`. */
        LoginProviderDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["LoginProviderDeletedData"];
        };
        /** What a test of the settings has found. */
        LoginProviderTest: {
            /** Whether nothing is wrong, as far as the provider says it without a login. */
            ok: boolean;
            /** How the metadata of the provider names it, which may be another issuer, such as one with a slash at its end; null if they cannot be read, or the type has a known issuer. */
            issuer: string | null;
            /** The parts that could be checked. */
            checks: components["schemas"]["LoginProviderCheck"][];
        };
        LoginProviderUpdatedData: {
            /** The login provider. */
            providerId: string;
            /** Its name. */
            name: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `login-provider.updated`. */
        LoginProviderUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["LoginProviderUpdatedData"];
        };
        /** The message of an event of the type `login-provider.updated`. */
        LoginProviderUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "login-provider.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["LoginProviderUpdatedData"];
        };
        /** The members to look up, by email address or id: at least one of the lists, and at most 500 values in all. */
        LookUpMembers: {
            /** Email addresses. Duplicates count once. */
            emails?: string[];
            /** Ids of members. Duplicates count once. */
            memberIds?: string[];
        };
        /** A person's account record on the site. */
        Member: {
            /** The member. */
            id: string;
            /** Email address, normalized to lowercase. */
            email: string;
            /** Display name; null when not set. */
            displayName: string | null;
            /**
             * `active`: may access the site. `blocked`: is denied access.
             */
            status: "active" | "blocked";
            /** Whether the email address was verified by a login link; null if unknown. */
            verified: boolean | null;
            /** Whether the member is marked as a paying customer. */
            paid: boolean | null;
            /** When the member first registered: used a login link or was added. */
            registeredAt: string | null;
            /** Last login through a login link. */
            lastLoginAt: string | null;
            /** When the member last used the site in a session, to the hour. */
            lastSeenAt: string | null;
            /** When the record was created. */
            createdAt: string | null;
            /** When the record was last changed. */
            updatedAt: string | null;
        };
        /** An event of the type `member.blocked`. */
        MemberBlockedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.blocked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberStatusChangedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.blocked`. */
        MemberBlockedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.blocked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberStatusChangedData"] | components["schemas"]["ErasedEventData"];
        };
        /** Member counts of the site. */
        MemberCounts: {
            /** All members. */
            total: number;
            /** Members who are not blocked. */
            active: number;
            /** Blocked members. */
            blocked: number;
            /** Paying members. */
            paid: number;
            /** Members whose email address is verified. */
            verified: number;
        };
        /** The member counts at the beginning of the first day. Not exact while versions of the service before this one counted. */
        MemberCountsBefore: {
            /** All members. */
            total: number;
            /** Members who are not blocked. */
            active: number;
            /** Blocked members. */
            blocked: number;
            /** Paying members. */
            paid: number;
            /** Members whose email address is verified. */
            verified: number;
        };
        MemberCreatedData: {
            /** The member as created. */
            member: {
                /** The member. */
                id: string;
                /** Email address, normalized to lowercase. */
                email: string;
                /** Display name; null when not set. */
                displayName: string | null;
                /**
                 * `active`: may access the site. `blocked`: is denied access.
                 */
                status: "active" | "blocked";
                /** Whether the member is marked as a paying customer. */
                paid: boolean | null;
            };
        };
        /** An event of the type `member.created`. */
        MemberCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.created`. */
        MemberCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberCreatedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberDeletedData: {
            /** The member. */
            memberId: string;
        };
        /** An event of the type `member.deleted`. */
        MemberDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberDeletedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.deleted`. */
        MemberDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberDeletedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberIdentityLinkedData: {
            /** The member. */
            memberId: string;
            /** The identity. */
            identityId: string;
            /** The login provider. */
            providerId: string;
            /** The name of the login provider at the time. */
            name: string;
            /** `verified_email`: the provider vouched for the email address of the member. `email_login`: the member confirmed it after a login by email. `account_page`: the member added it on the account page. */
            reason: "verified_email" | "email_login" | "account_page";
        };
        /** An event of the type `member.identity.linked`. */
        MemberIdentityLinkedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.identity.linked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberIdentityLinkedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.identity.linked`. */
        MemberIdentityLinkedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.identity.linked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberIdentityLinkedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberIdentityRemovedData: {
            /** The member. */
            memberId: string;
            /** The identity. */
            identityId: string;
            /** The login provider. */
            providerId: string;
            /** The name of the login provider at the time. */
            name: string;
            /** `removed`: the member or the team of the site removed it. `email_verified`: the member has verified the email address for the first time, and it was linked before. `email_changed`: with a change of the email address, or when it was taken back. */
            reason: "removed" | "email_verified" | "email_changed";
        };
        /** An event of the type `member.identity.removed`. */
        MemberIdentityRemovedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.identity.removed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberIdentityRemovedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.identity.removed`. */
        MemberIdentityRemovedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.identity.removed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberIdentityRemovedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberLoginData: {
            /** The member. */
            memberId: string;
            /** The new session. */
            sessionId: string;
            /** `link`: with the link in the email. `code`: with the six-digit code in the email. `passkey`: with a passkey. `provider`: with an account elsewhere. */
            method: "link" | "code" | "passkey" | "provider";
            /** The passkey, with its name at the time; null for other methods. */
            passkey: {
                /** The passkey. */
                id: string;
                /** The name that the member chose. */
                name: string;
            } | null;
            /** The login provider; null for other methods. */
            provider: {
                /** The login provider. */
                id: string;
                /** Its name at the time. */
                name: string;
            } | null;
        };
        /** An event of the type `member.login`. */
        MemberLoginEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.login";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberLoginData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.login`. */
        MemberLoginMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.login";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberLoginData"] | components["schemas"]["ErasedEventData"];
        };
        /** A passkey with which a member logs in without an email. */
        MemberPasskey: {
            /** The passkey. */
            id: string;
            /** The name that the member chose. */
            name: string;
            /** When the passkey was added. */
            createdAt: string;
            /** When the member last logged in with it; null if never. */
            lastUsedAt: string | null;
            /** Whether it is synchronized between devices, as it reported when it was last used. */
            synced: boolean;
            /** Whether it cannot be used at present: it was made for another primary host, or the site has no passkeys. */
            disabled: boolean;
        };
        MemberPasskeyAddedData: {
            /** The member. */
            memberId: string;
            /** The passkey as added. */
            passkey: {
                /** The passkey. */
                id: string;
                /** The name that the member chose. */
                name: string;
                /** Whether it is synchronized between devices, as it reported when it was last used. */
                synced: boolean;
            };
        };
        /** An event of the type `member.passkey.added`. */
        MemberPasskeyAddedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.passkey.added";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberPasskeyAddedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.passkey.added`. */
        MemberPasskeyAddedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.passkey.added";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberPasskeyAddedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberPasskeyRemovedData: {
            /** The member. */
            memberId: string;
            /** The passkeys that were removed. */
            passkeyIds: string[];
            /** Their names, in the same order. */
            names: string[];
            /** `removed`: this one, or all, were removed by the member or the team of the site. `email_verified`: the member has verified the email address for the first time, and they were added before. `email_changed`: with a change of the email address, or when it was taken back. */
            reason: "removed" | "email_verified" | "email_changed";
        };
        /** An event of the type `member.passkey.removed`. */
        MemberPasskeyRemovedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.passkey.removed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberPasskeyRemovedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.passkey.removed`. */
        MemberPasskeyRemovedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.passkey.removed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberPasskeyRemovedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberStatusChangedData: {
            /** The member. */
            memberId: string;
            /** The change of `status`. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `member.unblocked`. */
        MemberUnblockedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.unblocked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberStatusChangedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.unblocked`. */
        MemberUnblockedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.unblocked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberStatusChangedData"] | components["schemas"]["ErasedEventData"];
        };
        MemberUpdatedData: {
            /** The member. */
            memberId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `member.updated`. */
        MemberUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "member.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["MemberUpdatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `member.updated`. */
        MemberUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "member.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["MemberUpdatedData"] | components["schemas"]["ErasedEventData"];
        };
        /** A member with their access groups. */
        MemberWithGroups: {
            /** The member. */
            id: string;
            /** Email address, normalized to lowercase. */
            email: string;
            /** Display name; null when not set. */
            displayName: string | null;
            /**
             * `active`: may access the site. `blocked`: is denied access.
             */
            status: "active" | "blocked";
            /** Whether the email address was verified by a login link; null if unknown. */
            verified: boolean | null;
            /** Whether the member is marked as a paying customer. */
            paid: boolean | null;
            /** When the member first registered: used a login link or was added. */
            registeredAt: string | null;
            /** Last login through a login link. */
            lastLoginAt: string | null;
            /** When the member last used the site in a session, to the hour. */
            lastSeenAt: string | null;
            /** When the record was created. */
            createdAt: string | null;
            /** When the record was last changed. */
            updatedAt: string | null;
            /** The groups that the member belongs to. */
            accessGroups: components["schemas"]["AccessGroupReference"][];
        };
        /** The membership of a member in an access group. */
        Membership: {
            /** The access group. */
            groupId: string;
            /** The member. */
            memberId: string;
            /** When the member was added. */
            addedAt: string;
            /** When the membership expires; null if it does not. An expired membership grants no access. The end of a last day is the first instant of the next day in the `timeZone` of the site. */
            expiresAt: string | null;
            /**
             * How the membership came about. `api`: added with an API key. `import`: added by an import. `scope`: follows the source of a scope group. `operator`: added by a person in the dashboard or on the command line. `sign_up`: added by sign-up on the login page. `invitation`: joined with an invitation. `provider`: follows the claim of groups of a login provider at each login there.
             */
            source: "api" | "import" | "scope" | "operator" | "sign_up" | "invitation" | "provider";
        };
        MembershipData: {
            /** The access group. */
            groupId: string;
            /** The member. */
            memberId: string;
            /** When the membership expires; null if it does not. */
            expiresAt?: string | null;
        };
        MembershipUpdatedData: {
            /** The access group. */
            groupId: string;
            /** The member. */
            memberId: string;
            /** The change of `expiresAt`. */
            changes: components["schemas"]["Change"][];
        };
        /** An OpenAPI 3.1 document. */
        OpenApiDocument: {
            /** The version of OpenAPI. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        OpenStatusWord: {
            /** The word, as it is in the list. */
            word: string;
            /** The number of rows with this word. */
            rows: number;
            /** What the word probably means. */
            suggestion: "active" | "blocked" | "leftOut";
        };
        /** A person who manages the site in the dashboard. */
        Operator: {
            /** The operator on this site. The same person has another id on each site, and a new one when invited again. */
            id: string;
            /** The email address that login links are sent to, normalized to lowercase. */
            email: string;
            /** Until the operator has opened this site in the dashboard, the name in the invitation; from then on, the name of the operator on all sites. Null when not set. */
            displayName: string | null;
            /**
             * What the operator may do. `owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything except API keys, block members and send login links. `viewer`: can view everything except API keys.
             */
            role: "owner" | "admin" | "support" | "viewer";
            /** `invited`: has never opened this site in the dashboard. `active`: has opened it. */
            status: "invited" | "active";
            /** When the operator last opened this site after logging in; null if never. */
            lastLoginAt: string | null;
            /** How many passkeys the operator has, with which one can log in to all sites. 0 while the status is `invited`; null for callers who lack `operators:write`. */
            passkeys: number | null;
            /** When the operator was given a role on this site. */
            createdAt: string;
        };
        OperatorInvitedData: {
            /** The operator as invited. Email address and name are null after the operator has been removed. */
            operator: {
                /** The operator on this site. The same person has another id on each site, and a new one when invited again. */
                id: string;
                /** The email address that login links are sent to, normalized to lowercase. */
                email: string | null;
                /** Until the operator has opened this site in the dashboard, the name in the invitation; from then on, the name of the operator on all sites. Null when not set. */
                displayName: string | null;
                /**
                 * What the operator may do. `owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything except API keys, block members and send login links. `viewer`: can view everything except API keys.
                 */
                role: "owner" | "admin" | "support" | "viewer";
            };
        };
        /** An event of the type `operator.invited`. */
        OperatorInvitedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.invited";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["OperatorInvitedData"];
        };
        /** The message of an event of the type `operator.invited`. */
        OperatorInvitedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.invited";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["OperatorInvitedData"];
        };
        OperatorLoginData: {
            /** The operator. */
            operatorId: string;
        };
        /** An event of the type `operator.login`. */
        OperatorLoginEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.login";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["OperatorLoginData"];
        };
        /** The message of an event of the type `operator.login`. */
        OperatorLoginMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.login";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["OperatorLoginData"];
        };
        OperatorRemovedData: {
            /** The operator. */
            operatorId: string;
        };
        /** An event of the type `operator.removed`. */
        OperatorRemovedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.removed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["OperatorRemovedData"];
        };
        /** The message of an event of the type `operator.removed`. */
        OperatorRemovedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.removed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["OperatorRemovedData"];
        };
        OperatorUpdatedData: {
            /** The operator. */
            operatorId: string;
            /** The change of `role`, `displayName` or `passkeys` (the number of passkeys). */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `operator.updated`. */
        OperatorUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["OperatorUpdatedData"];
        };
        /** The message of an event of the type `operator.updated`. */
        OperatorUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "operator.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["OperatorUpdatedData"];
        };
        /** An overview of a site. */
        Overview: {
            members: components["schemas"]["MemberCounts"];
            before: components["schemas"]["MemberCountsBefore"];
            /** Access groups, scope groups included. */
            accessGroups: number;
            /** Emails in the queue. */
            emailsWaiting: number;
            /** Emails of the last 30 days that could not be sent. */
            emailsFailed: number;
            /** The emails of the last 7 days that could not be sent, newest first, at most 5; without those after which another email to the same recipient or member was sent, and without tests of the mail server. Null without the permission `emails:read`. */
            failedEmails: components["schemas"]["FailedEmail"][] | null;
            /** Emails of the last 24 hours that were not sent because an hourly limit had been reached, grouped by limit; empty if there were none. */
            emailsWithheld: components["schemas"]["WithheldEmails"][];
            /** Requests to join that wait for a decision; null without the permission `join-requests:read`. */
            pendingJoinRequests: number | null;
            /** The webhooks whose receiver fails, and those that were disabled because it failed for too long or is gone, newest first, at most 20. Null without the permission `webhooks:read`. */
            failingWebhooks: components["schemas"]["FailingWebhook"][] | null;
            /** The sources whose last synchronization needs a confirmation or failed, newest first, at most 20. Null without the permission `sources:read`. */
            waitingSources: components["schemas"]["WaitingSource"][] | null;
            endingMemberships: components["schemas"]["EndingMemberships"];
            setUp: components["schemas"]["SetUp"];
            /** Logins in the equally long time before the first day; null if that reaches back further than logins are counted. */
            loginsBefore: number | null;
            /** The requested days, oldest first; the last one is today. */
            days: components["schemas"]["OverviewDay"][];
        };
        OverviewDay: {
            /** The day, in the requested time zone. */
            date: string;
            /** Members who were created on that day and still exist. */
            created: number;
            /** Logins on that day. */
            logins: number;
            /** How many members the site had at the end of that day; today, how many it has. */
            members: number;
        };
        /** A page as an anonymous visitor gets it, and the files it loads. */
        PageCheck: {
            /** The URL of the page, after redirects. */
            url: string;
            /** The status of its response. With a status other than 200, `files` is empty. */
            status: number;
            /** The files on hosts of the site, in the order in which the page names them, at most 200. */
            files: components["schemas"]["PageFile"][];
            /** False if the page may load further files: a limit was reached, or a style sheet did not respond. */
            isComplete: boolean;
        };
        /** A code that gives access to pages without a login, where an access rule accepts it. */
        PageCode: {
            /** The page code. */
            id: string;
            /** What it is for. Programs behind the gate see it in the header `Remote-Page-Code`. At most 100 characters. */
            label: string;
            /** `words`: five words that Gatehouse generates, easy to read out. `characters`: ten letters and digits that Gatehouse generates. `chosen`: a code that the caller sets. */
            type: "words" | "characters" | "chosen";
            /** The code. Anyone who has it has access. Only for callers with `site:write`; null for one that was chosen. */
            code: string | null;
            /** Until when it works; null for no end. Access by it ends then, also for those who have entered it before. */
            expiresAt: string | null;
            /** How many times it can be entered, at most 1,000,000; null for any number. Those who have entered it keep access. */
            maxUses: number | null;
            /** How many times it has been entered. */
            usedCount: number;
            /** When it was last entered; null if it was not. */
            lastUsedAt: string | null;
            /** `active`: it can be entered. `paused`: it was chosen, and after too many wrong attempts on the site, chosen codes are not accepted for an hour; those who have entered it keep access. `used_up`: it was entered `maxUses` times. `expired`: it is past `expiresAt`. */
            status: "active" | "paused" | "used_up" | "expired";
            /** When it was created. */
            createdAt: string;
            /** When it was last changed. */
            updatedAt: string;
        };
        PageCodeCreatedData: {
            /** The page code. */
            pageCodeId: string;
            /** Its label. */
            label: string;
        };
        /** An event of the type `page-code.created`. */
        PageCodeCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["PageCodeCreatedData"];
        };
        /** The message of an event of the type `page-code.created`. */
        PageCodeCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["PageCodeCreatedData"];
        };
        PageCodePausedData: {
            /** Until when chosen page codes are not accepted. */
            until: string;
        };
        /** An event of the type `page-code.paused`. */
        PageCodePausedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.paused";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["PageCodePausedData"];
        };
        /** The message of an event of the type `page-code.paused`. */
        PageCodePausedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.paused";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["PageCodePausedData"];
        };
        PageCodeRevokedData: {
            /** The page code. */
            pageCodeId: string;
            /** Its label. */
            label: string;
        };
        /** An event of the type `page-code.revoked`. */
        PageCodeRevokedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.revoked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["PageCodeRevokedData"];
        };
        /** The message of an event of the type `page-code.revoked`. */
        PageCodeRevokedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.revoked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["PageCodeRevokedData"];
        };
        PageCodeUpdatedData: {
            /** The page code. */
            pageCodeId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `page-code.updated`. */
        PageCodeUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["PageCodeUpdatedData"];
        };
        /** The message of an event of the type `page-code.updated`. */
        PageCodeUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["PageCodeUpdatedData"];
        };
        PageCodeUsedData: {
            /** The page code. */
            pageCodeId: string;
            /** Its label. */
            label: string;
            /** How many times it had been entered by then. Recorded once an hour at most. */
            usedCount: number;
        };
        /** An event of the type `page-code.used`. */
        PageCodeUsedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.used";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["PageCodeUsedData"];
        };
        /** The message of an event of the type `page-code.used`. */
        PageCodeUsedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "page-code.used";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["PageCodeUsedData"];
        };
        /** A file that a page loads from a host of the site. */
        PageFile: {
            /** Its URL. */
            url: string;
            /** The path of its URL, with the query. */
            path: string;
            /** The `domain` in `hosts` of the site. */
            host: string;
            /** What the page loads it as. */
            type: "style_sheet" | "script" | "image" | "font" | "other";
            /** Whether an anonymous visitor has access to the file. */
            allowed: boolean;
            /** The reason. Allowed: `public`, `member`, `paying_member`, `group_member`, `page_code` (the visitor has entered a code), `condition_met`, `preflight` (a CORS preflight, which the rule allows). Denied: `anonymous` (the visitor is not logged in), `blocked`, `not_paying`, `not_in_groups`, `code_required`, `condition_not_met`, `ambiguous_path` (proxies, servers and programs may read this path in different ways, so access is denied to everyone), `unknown_member`, `site_suspended`. */
            reason: "public" | "member" | "paying_member" | "group_member" | "page_code" | "condition_met" | "preflight" | "anonymous" | "blocked" | "not_paying" | "not_in_groups" | "code_required" | "condition_not_met" | "ambiguous_path" | "unknown_member" | "site_suspended";
            /** The rule that applied; null if no rule applies to the file, or the decision did not depend on one. */
            rule: components["schemas"]["AccessRule"] | null;
        };
        /** The position of a page in its list. */
        Pagination: {
            /** True if more items follow this page. */
            hasMore: boolean;
            /** Pass it as `after` to get the next page; null when there are no more pages. */
            nextCursor: string | null;
        };
        PlainAccessRule: {
            /** The path starts with `/` and has no percent-encoding and no query; `/` is the whole site. Its last name may end in `*`: `/blog/premium-*` is every path in `/blog` whose name begins with `premium-`. */
            path: string;
            /**
             * `folder` (default): the rule applies to the path and to everything below it that has no rule of its own. `page`: it applies only to the path itself and, if that is a folder, to its index page. A request with another method than GET and HEAD, or with a query, must also meet the rule that would apply without this one, because programs may show another page for it, as for `/?p=7`, or change something. `queryParameters` lists exceptions.
             */
            appliesTo?: "folder" | "page";
            /** Parameters that do not choose another page. A query of only these is treated as no query. Only with `appliesTo: page`. */
            queryParameters?: string[];
            /** The hosts that the rule applies to. If left out, it applies to all hosts. On its hosts, the rule replaces the rule for all hosts with the same `path` and `appliesTo`. A rule for a folder also replaces the rule for all hosts for the page of that folder. */
            hosts?: string[];
            /** Whether programs can send the access token of a member in the query (`?access_token=gmt_…`) where this rule applies: for podcast apps and feed readers that know only a URL. Defaults to false. */
            acceptsTokenInUrl?: boolean;
            /** Whether one program receives everything below this path as it is, also paths that servers read in different ways: `/pluginfile.php/7/plan.pdf`, `/api/queues/%2F/jobs`, `/wiki/C%23`. A path that a server may read as one outside is still denied. No other rule can be for a path below it, or for only its page. Access tokens for a path below it do not count. Defaults to false. */
            programPaths?: boolean;
            /** Whether CORS preflights pass without a login where this rule applies: `OPTIONS` with `Origin` and `Access-Control-Request-Method`, without cookies, `Authorization` and a body. The program answers them. For a rule for a page, a query that is not in `queryParameters` also needs it on the rule of the folder. Defaults to false. */
            preflights?: boolean;
            /**
             * `public`: everyone has access. `members`: members who are not blocked. `paying_members`: members who are not blocked and have `paid` set.
             */
            access: "public" | "members" | "paying_members";
        };
        PlainAction: {
            /**
             * An action without further fields.
             */
            type: "block" | "unblock" | "send_login_link" | "delete";
        };
        RemoveFromGroup: {
            /**
             * Removes the members from a group.
             */
            type: "remove_from_group";
            /** A custom access group of the site. */
            groupId: string;
        };
        /** The whole tree. Rules that are left out are removed. All paths together have at most 20,000 names; those of a rule with `hosts` count once for each host. */
        ReplaceAccessRules: {
            /** The rules, sorted by path. A path follows its own rule, then the longest matching rule with `*`, then the rule of its nearest ancestor. A path without a rule is accessible to members, but never to anonymous visitors. */
            rules: components["schemas"]["AccessRule"][];
        };
        ReplaceEmailTexts: {
            /** The line with which emails begin, of 1 to 100 characters. It has no URLs or email addresses. Null for the greeting of Gatehouse. */
            greeting: string | null;
            /** The last paragraph of emails, such as who sends them, of 1 to 500 characters; it may have line breaks. It has no URLs or email addresses. Null for none. */
            closing: string | null;
            /** A paragraph after the greeting, in login emails to members who have never logged in and in emails about an approved request to join, of 1 to 500 characters; it may have line breaks. It has no URLs or email addresses. Null for none. */
            welcome: string | null;
        };
        ReplacePageCode: {
            /**
             * `words`: five words that Gatehouse generates, easy to read out. `characters`: ten letters and digits that Gatehouse generates. `chosen`: a code that the caller sets. Defaults to `chosen` if `code` is given, otherwise to `words`.
             */
            type?: "words" | "characters" | "chosen";
            /** The code, with at least 8 letters and digits. Only these count, in upper or lower case. It must be hard to guess: the title of the site, its domain and the label are refused. */
            code?: string;
        };
        /** Which of the events that match the webhook are sent again. */
        ReplayWebhook: {
            /** Events at or after this time. */
            since: string;
            /** Events before this time. Defaults to now. */
            until?: string;
            /** The types of the events that are sent; null for all, also those that are added later. */
            eventTypes?: ("member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed")[] | null;
        };
        RotateApiKey: {
            /** For how many hours the old key continues to work, unless it expires earlier. Defaults to 24; 0 ends it immediately. */
            overlapHours?: number;
        };
        RotateSigningKeys: {
            /** Whether the new key signs immediately and the older ones are no longer published, in case they have leaked. Tokens that they signed become invalid. Defaults to false. */
            revokeOld?: boolean;
        };
        /** Whether a member meets the requirements of a rule, and why. */
        RuleDecision: {
            rule: components["schemas"]["AccessRule"];
            /** Whether the member meets the requirements of the rule. */
            allowed: boolean;
            /** The reason. Allowed: `public`, `member`, `paying_member`, `group_member`, `page_code` (the visitor has entered a code), `condition_met`, `preflight` (a CORS preflight, which the rule allows). Denied: `anonymous` (the visitor is not logged in), `blocked`, `not_paying`, `not_in_groups`, `code_required`, `condition_not_met`, `ambiguous_path` (proxies, servers and programs may read this path in different ways, so access is denied to everyone), `unknown_member`, `site_suspended`. */
            reason: "public" | "member" | "paying_member" | "group_member" | "page_code" | "condition_met" | "preflight" | "anonymous" | "blocked" | "not_paying" | "not_in_groups" | "code_required" | "condition_not_met" | "ambiguous_path" | "unknown_member" | "site_suspended";
            /** For a conditional rule, each of its alternatives in the given order: `met`, or the first requirement that is not met. `from`: too early. `until`: too late. `networks`: another IP address. `login`: not logged in. `active`: blocked. `paid`, `groups`: not paying, not in the groups. `code`: none of the codes was entered. null for any other rule. */
            alternatives: ("met" | "from" | "until" | "networks" | "login" | "active" | "paid" | "groups" | "code")[] | null;
        };
        /** The numbers over all collections, so far. */
        RunCounts: {
            /** People in the workspace, each counted once per collection. */
            read: number;
            /** People who became members. */
            created: number;
            /** Memberships that were added. */
            added: number;
            /** Members whose name or `paid` was changed. */
            changed: number;
            /** Memberships that were removed. */
            removed: number;
            /** People who would leave the collection or a group, or no longer be paying, and stay as they are until somebody confirms it. */
            withheld: number;
            /** Members that were blocked because they left the source. */
            blocked: number;
            /** People who could not be read. */
            skipped: number;
            /** Rows whose email address cannot be read: it is invalid, there are several, or the cell shows an error such as `#REF!`. While there is one, nobody leaves the collection or a group, is no longer paying, or is blocked, except with a confirmation that names a run. Correct or remove these rows. */
            unreadable: number;
        };
        /** Why a run or a collection failed. */
        RunError: {
            /** What happened, for programs. `stopped`: somebody turned the source off or changed the collection during the run. */
            code: "unavailable" | "rejected" | "not_found" | "incomplete" | "too_large" | "columns_missing" | "stopped" | "internal";
            /** What happened and what to do next, for people. */
            message: string;
        };
        /** A browser in which a member is logged in. */
        Session: {
            /** The session. */
            id: string;
            /** The member who is logged in. */
            memberId: string;
            /** How the member logged in, as in the event `member.login`; null in older sessions. */
            method: "link" | "code" | "passkey" | "provider" | null;
            /** When the member logged in. */
            createdAt: string;
            /** When the session was last used, to the hour. */
            lastSeenAt: string;
            /** When the session expires unless it is used before then. */
            expiresAt: string;
            /** The `User-Agent` of the browser; null if it sent none. */
            userAgent: string | null;
            /** The IP address from which the member logged in. */
            ipAddress: string | null;
        };
        SessionEvictedData: {
            /** The member. */
            memberId: string;
            /** The oldest sessions of the member, which a login has ended. */
            sessionIds: string[];
            /** The limit that the member had. */
            maxSessions: number;
        };
        /** An event of the type `session.evicted`. */
        SessionEvictedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "session.evicted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["SessionEvictedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `session.evicted`. */
        SessionEvictedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "session.evicted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["SessionEvictedData"] | components["schemas"]["ErasedEventData"];
        };
        SessionRevokedData: {
            /** The member. */
            memberId: string;
            /** The sessions that ended. Empty if the member was logged out everywhere without having one: then only login links were closed or known browsers removed. */
            sessionIds: string[];
            /** `logged_out`: the member logged out. `revoked`: ended with an API key. `blocked`, `email_changed`: ended by that change of the member. `replaced`: ended by a new login in the same browser. */
            reason: "logged_out" | "revoked" | "blocked" | "email_changed" | "replaced";
        };
        /** An event of the type `session.revoked`. */
        SessionRevokedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "session.revoked";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            /** The details of the event; only `memberId` and `erased: true` after the member has been deleted. */
            data: components["schemas"]["SessionRevokedData"] | components["schemas"]["ErasedEventData"];
        };
        /** The message of an event of the type `session.revoked`. */
        SessionRevokedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "session.revoked";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The details of the event. */
            data: components["schemas"]["SessionRevokedData"] | components["schemas"]["ErasedEventData"];
        };
        SetEndInGroup: {
            /**
             * Sets the end of the memberships in a group. Members who are not in the group stay out of it: for them there is nothing to do.
             */
            type: "set_end_in_group";
            /** A custom access group of the site. */
            groupId: string;
            /** When the memberships expire, a time in the future; null if they do not. */
            expiresAt: string | null;
        };
        SetPaid: {
            /**
             * Marks the members as paying or not paying.
             */
            type: "set_paid";
            /** Whether the members are paying customers. */
            paid: boolean;
        };
        /** The completed steps of setting up the site. */
        SetUp: {
            /** The site has a domain that is not only a name of the local machine, such as `localhost`. */
            domain: boolean;
            /** The service has a mail server, so that login links are delivered. */
            email: boolean;
            /** The site has members. */
            members: boolean;
            /** The site has access groups. */
            accessGroups: boolean;
            /** The site has access rules. */
            accessRules: boolean;
            /** A member has logged in. */
            login: boolean;
        };
        /** Who can sign up on the login page. */
        SignUp: {
            /**
             * Who can sign up on the login page. `members_only`: no one; members have to be added. `allowed_domains`: anyone with an email address at one of `domains`. `approval`: they too, and others can ask to join, which an operator decides. `open`: anyone.
             */
            policy: "members_only" | "allowed_domains" | "approval" | "open";
            /** Email domains, each with its groups. */
            domains: components["schemas"]["SignUpDomain"][];
        };
        SignUpDomain: {
            /** The part after the `@`. Subdomains do not match. */
            domain: string;
            /** The groups that new members are added to. */
            accessGroupIds: string[];
        };
        /** A key with which Gatehouse signs the tokens of the site (Ed25519, RFC 8037). Its private part is stored encrypted and never returned. */
        SigningKey: {
            /** The signing key, also its `kid` in tokens and in `/_gatehouse/jwks.json`. */
            id: string;
            /** When the key was created. */
            createdAt: string;
            /** From when on the key signs tokens, until a newer key does. It is published earlier, so that every program that verifies tokens knows it by then. */
            signsFrom: string;
            /** When the key is no longer published, because a newer one has replaced it; null for the newest key. */
            publishedUntil: string | null;
        };
        SigningKeyCreatedData: {
            /** The signing key, also its `kid` in tokens and in `/_gatehouse/jwks.json`. */
            signingKeyId: string;
            /** From when on the key signs tokens, until a newer key does. It is published earlier, so that every program that verifies tokens knows it by then. */
            signsFrom: string;
            /** The keys that are no longer published since then. */
            withdrawnKeyIds: string[];
        };
        /** An event of the type `signing-key.created`. */
        SigningKeyCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "signing-key.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SigningKeyCreatedData"];
        };
        /** The message of an event of the type `signing-key.created`. */
        SigningKeyCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "signing-key.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SigningKeyCreatedData"];
        };
        /** A website and its settings. */
        Site: {
            /** The site. */
            id: string;
            /** Short name, unique in this installation. */
            slug: string;
            /** Display name. */
            title: string;
            /** The primary host, with the port if it is not the default port; null when not set. */
            domain: string | null;
            /**
             * The URL scheme of the primary host, also in the links of emails.
             */
            scheme: "https" | "http";
            /** The hosts of the site. The first one is the primary host, on which members log in; one login is valid on all hosts. Empty if the site has no domain. The primary host with `www.` added or removed needs no entry here: it is redirected. */
            hosts: components["schemas"]["SiteHost"][];
            /** The languages of login pages and emails. A visitor sees the first of their preferred languages that is in this list, or else the first language of this list. */
            languages: string[];
            /** The time zone of the site, as a name of the IANA database. A date without a time, such as the last day of a membership, means that day in this zone: it ends with the first instant of the next day. Pages and the command line show days in it. */
            timeZone: string;
            signUp: components["schemas"]["SignUp"];
            /** How many sessions a member may have at the same time. The next login ends the oldest ones. Access groups may have limits of their own. */
            maxSessions: number;
            /** The color of buttons and links on login pages and in emails; null for the default color. */
            color: string | null;
            /** The URL of the logo on login pages and in emails; null if the site has no logo or no domain. */
            logoUrl: string | null;
            identityHeaders: components["schemas"]["IdentityHeaders"];
            /** Whether members can create access tokens on their account page. */
            membersCreateTokens: boolean;
            /** Whether people can ask for access on the page that denies it to them. See join requests. */
            allowsAccessRequests: boolean;
            /** Whether members can add passkeys on their account page and log in with them. Only sites with https offer them. */
            allowsPasskeys: boolean;
            links: components["schemas"]["SiteLinks"];
            /** Whether the dashboard shows the steps of setting up the site until all are completed. */
            showsSetUpSteps: boolean;
            /**
             * `active`: in service. `suspended`: closed to all visitors by the administrator of this installation.
             */
            status: "active" | "suspended";
            /** When the site was created. */
            createdAt: string;
        };
        SiteCreatedData: {
            /** The site as created. */
            site: {
                /** The site. */
                id: string;
                /** Short name, unique in this installation. */
                slug: string;
                /** Display name. */
                title: string;
                /** The primary host, with the port if it is not the default port; null when not set. */
                domain: string | null;
            };
        };
        /** An event of the type `site.created`. */
        SiteCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "site.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SiteCreatedData"];
        };
        /** The message of an event of the type `site.created`. */
        SiteCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "site.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SiteCreatedData"];
        };
        /** A host at which visitors reach the site. */
        SiteHost: {
            /** The host, with the port if it is not the default port. */
            domain: string;
            /**
             * The URL scheme of the host.
             */
            scheme: "https" | "http";
            /** Whether every visit is redirected to the same path on the primary host. Always false for the primary host. */
            redirect: boolean;
        };
        /** Links on login pages, account pages and the page that denies access; null shows none. Each is a complete URL with `https`, and with `http` only for the local machine, of at most 500 characters, without a user name and password. */
        SiteLinks: {
            /** How visitors reach you: a page, or an email address such as `mailto:office@example.com`. */
            contact: string | null;
            /** Where members get more access, such as a page on which they pay. It is shown where access is denied. */
            upgrade: string | null;
            /** Who is responsible for the site. */
            imprint: string | null;
            /** How the site handles personal data. */
            privacy: string | null;
        };
        SiteUpdatedData: {
            /** The site. */
            siteId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
            /** Only if all members were logged out, on request or because the site had a domain, and `domain` or `scheme` changed: the number of sessions that ended. The open login links were closed too. These sessions have no `session.revoked`. */
            sessionsEnded?: number;
        };
        /** An event of the type `site.updated`. */
        SiteUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "site.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SiteUpdatedData"];
        };
        /** The message of an event of the type `site.updated`. */
        SiteUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "site.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SiteUpdatedData"];
        };
        SkippedPerson: {
            /** Where it is in the collection. */
            place: string;
            /** What was read, up to 200 characters of it. */
            value: string;
            /** Why it was skipped. `unknown_value`: a cell says that its value is not known, such as `#REF!` or `Loading...`. `unclear_…`: state in `columns` of the collection what is meant. With these, `invalid_status`, `invalid_group_ends` and `invalid_paid`, the person is not changed. With `other_name` (an earlier row has the same email address), `invalid_display_name` or `invalid_group`, only the name or the group is left out. */
            reason: "no_email" | "invalid_email" | "unknown_value" | "unclear_column" | "unclear_date" | "unclear_groups" | "invalid_status" | "invalid_group_ends" | "invalid_paid" | "other_name" | "invalid_display_name" | "invalid_group";
        };
        /** An external workspace whose collections become scope groups. */
        Source: {
            /** The source. */
            id: string;
            /** What the source is. `notion`: the databases of a Notion workspace. `list`: a CSV or TSV file at a URL. `program`: a program uploads the lists. */
            type: "notion" | "list" | "program";
            /** Whether it is synchronized on schedule. False by default, so that its collections can be chosen first. Without effect for the type `program`. */
            enabled: boolean;
            /** Minutes between two synchronizations, give or take 10%. */
            intervalMinutes: number;
            /** Display name, unique among the sources of the site. */
            name: string;
            /** How many people may leave a collection in one run without a confirmation. A confirmation is required if both this number and `maxRemovedPercent` are exceeded, if everybody would leave, or more than half and at least 3 people, and if a row has lost its email address. The same applies to people who would leave a group or would no longer be paying. */
            maxRemovedPeople: number;
            /** What share of the people of a collection may leave it in one run without a confirmation. With 100 none is ever required, except while an email address cannot be read. */
            maxRemovedPercent: number;
            /** Days after which the group of a collection that is gone is deleted. */
            graceDays: number;
            /**
             * What happens to members that the source created and that are in none of its collections any more: `keep` leaves them as they are, `block` blocks them until they return.
             */
            onLeave: "keep" | "block";
            /** The host that the source is read from; null if a program uploads the lists. The token or the whole URL is stored encrypted and never returned. */
            host: string | null;
            /** The collections that become scope groups. */
            collections: components["schemas"]["SourceCollection"][];
            /** When the source was created. */
            createdAt: string;
            /** When its settings were last changed. */
            updatedAt: string;
        };
        /** A collection of a workspace that becomes a scope group. */
        SourceCollection: {
            /** Identifies the collection in the workspace. */
            key: string;
            /** Its name in the workspace. */
            name: string;
            columns: components["schemas"]["CollectionColumns"] | null;
            /** Its scope group; null before the first synchronization. */
            groupId: string | null;
            /** False once it is no longer chosen, until its group is deleted. */
            chosen: boolean;
            /** Since when the workspace does not have it, or it is no longer chosen; null while it is there. */
            missingSince: string | null;
        };
        SourceCreatedData: {
            /** The source as created. */
            source: {
                /** The source. */
                id: string;
                /** What the source is. `notion`: the databases of a Notion workspace. `list`: a CSV or TSV file at a URL. `program`: a program uploads the lists. */
                type: "notion" | "list" | "program";
                /** Display name, unique among the sources of the site. */
                name: string;
            };
        };
        /** An event of the type `source.created`. */
        SourceCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "source.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SourceCreatedData"];
        };
        /** The message of an event of the type `source.created`. */
        SourceCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "source.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SourceCreatedData"];
        };
        SourceDeletedData: {
            /** The source. */
            sourceId: string;
            /** Display name, unique among the sources of the site. */
            name: string;
        };
        /** An event of the type `source.deleted`. */
        SourceDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "source.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SourceDeletedData"];
        };
        /** The message of an event of the type `source.deleted`. */
        SourceDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "source.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SourceDeletedData"];
        };
        SourceFailedData: {
            /** The source. */
            sourceId: string;
            /** The run. */
            runId: string;
            error: components["schemas"]["RunError"];
        };
        /** An event of the type `source.failed`. */
        SourceFailedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "source.failed";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SourceFailedData"];
        };
        /** The message of an event of the type `source.failed`. */
        SourceFailedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "source.failed";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SourceFailedData"];
        };
        /** One synchronization of a source. */
        SourceRun: {
            /** The run. */
            id: string;
            /** The source. */
            sourceId: string;
            /** `waiting`: not begun yet. `running`. `succeeded`: the groups are as in the workspace. `confirmation_required`: people were added, but more would leave or no longer be paying than is allowed without a confirmation; they stay as they are until then. `failed`: nobody was removed where something failed. */
            status: "waiting" | "running" | "succeeded" | "confirmation_required" | "failed";
            /** `schedule`: the source is synchronized on schedule. `request`: the run was requested. `change`: the workspace reported a change. `list`: a program uploaded a list. */
            trigger: "schedule" | "request" | "change" | "list";
            /** Whether it only shows what would change. */
            dryRun: boolean;
            counts: components["schemas"]["RunCounts"];
            /** What was done with each collection. */
            collections: components["schemas"]["CollectionResult"][];
            /** The groups that are deleted with a confirmation, or after `graceDays`: those of collections that are gone, and those that nobody is in any more. */
            groupsToDelete: components["schemas"]["GroupToDelete"][];
            error: components["schemas"]["RunError"] | null;
            /** When the run was requested or planned. */
            createdAt: string;
            /** When it will begin; null if it has begun, or begins as soon as possible. */
            dueAt: string | null;
            /** When it began; null if it has not. */
            startedAt: string | null;
            /** When it ended; null if it has not. */
            endedAt: string | null;
        };
        SourceSyncedData: {
            /** The source. */
            sourceId: string;
            /** The run. */
            runId: string;
            counts: components["schemas"]["SyncCounts"];
        };
        /** An event of the type `source.synced`. */
        SourceSyncedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "source.synced";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SourceSyncedData"];
        };
        /** The message of an event of the type `source.synced`. */
        SourceSyncedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "source.synced";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SourceSyncedData"];
        };
        SourceUpdatedData: {
            /** The source. */
            sourceId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `source.updated`. */
        SourceUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "source.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["SourceUpdatedData"];
        };
        /** The message of an event of the type `source.updated`. */
        SourceUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "source.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["SourceUpdatedData"];
        };
        /** How a workspace of Notion reports changes to a source. */
        SourceWebhook: {
            /** To be entered in the workspace as the URL of its webhook. */
            address: string;
            /** `none`: the workspace has not sent its verification token. `waiting`: the token has to be entered in the workspace. `active`: the workspace reports changes, which are synchronized within a minute. */
            status: "none" | "waiting" | "active";
            /** Until when a verification token is accepted from the workspace; null if none is: reset the webhook first. */
            awaitedUntil: string | null;
            /** To be entered in the workspace to activate the webhook; null unless the status is `waiting`. */
            verificationToken: string | null;
        };
        StatusWord: {
            /** The word, in upper or lower case; `*` stands for all others. */
            word: string;
            /**
             * People who are `blocked` or `leftOut` are not in the collection.
             */
            meaning: "active" | "blocked" | "leftOut";
        };
        SubmittedSiteHost: {
            /** The host, with the port if it is not the default port; unique in this installation. */
            domain: string;
            /**
             * The URL scheme of the host.
             */
            scheme?: "https" | "http";
            /** Whether every visit is redirected to the primary host. Defaults to false. */
            redirect?: boolean;
        };
        /** What the run has changed. */
        SyncCounts: {
            /** People who became members. */
            created: number;
            /** Memberships that were added. */
            added: number;
            /** Members whose name or `paid` was changed. */
            changed: number;
            /** Memberships that were removed. */
            removed: number;
            /** People who would leave the collection or a group, or no longer be paying, and stay as they are until somebody confirms it. */
            withheld: number;
            /** Members that were blocked because they left the source. */
            blocked: number;
        };
        SyncSource: {
            /** Only shows what would change. Defaults to false. */
            dryRun?: boolean;
            /** Confirms that people may be removed, however many, and that the groups of missing collections may be deleted. While an email address cannot be read, `confirmedRunId` is required as well. Defaults to false. */
            confirmRemovals?: boolean;
            /** The run, or dry run, whose removals are confirmed, together with `confirmRemovals`. Further removals of people, or further groups to delete, need a confirmation of their own. If left out, all removals are confirmed. */
            confirmedRunId?: string;
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateAccessGroup: {
            /** Display name, 1 to 100 characters after trimming and Unicode normalization (NFC), unique on the site (case-sensitive). */
            name?: string;
            /** What the group is for, at most 500 characters; null removes it. */
            description?: string | null;
            /** How many sessions each member of the group may have at the same time, from the next login on; null for the limit of the site. */
            maxSessions?: number | null;
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateInvitation: {
            /** For operators only: nobody who is invited sees it. At most 500 characters. */
            note?: string;
            /** The custom groups that those who join are added to. */
            accessGroupIds?: string[];
            /** When the memberships in the groups expire, a time in the future; null if they do not, or if `membershipDays` says it. */
            membershipExpiresAt?: string | null;
            /** After how many days from joining the memberships expire; null if they do not, or if `membershipExpiresAt` says it. */
            membershipDays?: number | null;
            /** Whether joining only creates a request to join, which an operator decides. A use is then counted at the approval. */
            needsApproval?: boolean;
            /** How many people can join with it, at most 10,000; null for any number. An invitation with `email` works once. */
            maxUses?: number | null;
            /** The email domains of those who can join: the part after the `@`; subdomains do not match. Empty for any. */
            emailDomains?: string[];
            /** Until when people can join with it: a time in the future, at most 366 days from now; an earlier `membershipExpiresAt` replaces it. */
            expiresAt?: string;
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateLoginProvider: {
            /** Its name on the login page. At most 100 characters. */
            name?: string;
            /** The client ID that the provider has given to this site. */
            clientId?: string;
            /** The client secret; of `apple` the private key, as in the .p8 file. It is stored encrypted and never returned. */
            secret?: string;
            /** Of `apple`: the ID of the team; null for other types. */
            teamId?: string;
            /** Of `apple`: the ID of the private key; null for other types. */
            privateKeyId?: string;
            /**
             * `claim`: an email address counts as verified if the provider says so at the login. `never`: not even then. `always`: every email address counts, for `oidc` only: anyone who can choose one there can log in as the member who has it. Defaults to `claim`.
             */
            emailTrust?: "claim" | "never" | "always";
            /** The claim with the groups of an account; null if they are not used. */
            groupsClaim?: string | null;
            /** Which custom groups follow the values of the claim at each login. At most 100. */
            groupMap?: components["schemas"]["GroupMapping"][];
            /** Whether the login page offers it. Defaults to `false`. */
            enabled?: boolean;
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateMember: {
            /** Exactly one email address. It is trimmed and converted to lowercase, its domain is turned into the ASCII form, and the result must be a valid email address of at most 254 characters, 64 before the `@`. */
            email?: string;
            /** Display name. It is trimmed, and an empty name becomes null. At most 200 characters after trimming, without control characters. */
            displayName?: string | null;
            /** Whether the member is a paying customer. */
            paid?: boolean;
            /**
             * The status of the member. `blocked` denies access and ends every session; `active` restores access.
             */
            status?: "active" | "blocked";
        };
        UpdateMembership: {
            /** When the membership expires, a time in the future, as for a new membership; null if it does not. */
            expiresAt: string | null;
        };
        UpdateOperator: {
            /**
             * What the operator may do. `owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything except API keys, block members and send login links. `viewer`: can view everything except API keys.
             */
            role: "owner" | "admin" | "support" | "viewer";
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdatePageCode: {
            /** What it is for. Programs behind the gate see it in the header `Remote-Page-Code`. At most 100 characters. */
            label?: string;
            /** Until when it works; null for no end. Access by it ends then, also for those who have entered it before. */
            expiresAt?: string | null;
            /** How many times it can be entered, at most 1,000,000; null for any number. Those who have entered it keep access. */
            maxUses?: number | null;
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateSite: {
            /** Display name, 1 to 100 characters after trimming. */
            title?: string;
            /** The primary host, with the port if it is not the default port; unique in this installation. Null removes it. A short form for a change of the first of `hosts`. */
            domain?: string | null;
            /**
             * The scheme of `domain`; `http` only for tests and in networks without certificates. If `domain` is changed without it, it is set to `https`, or to `http` for the local machine (localhost).
             */
            scheme?: "https" | "http";
            /** All hosts of the site, the primary host first. Not together with `domain` or `scheme`. A host that an access rule names cannot be removed. */
            hosts?: components["schemas"]["SubmittedSiteHost"][];
            /** The languages of login pages and emails, the default language first. */
            languages?: string[];
            /** The time zone of the site, as a name of the IANA database. A change affects how ends are shown, and moves none. */
            timeZone?: string;
            signUp?: components["schemas"]["SignUp"];
            /** How many sessions a member may have at the same time, from the next login on. */
            maxSessions?: number;
            /** Whether members can create access tokens on their account page. Existing tokens keep working in any case. */
            membersCreateTokens?: boolean;
            /** Whether people can ask for access on the page that denies it to them. */
            allowsAccessRequests?: boolean;
            /** Whether members can add passkeys and log in with them. Existing passkeys stay, but cannot be used meanwhile. */
            allowsPasskeys?: boolean;
            /** Whether the dashboard shows the steps of setting up the site. */
            showsSetUpSteps?: boolean;
            /** The color of buttons and links, as `#rrggbb`; null for the default color. */
            color?: string | null;
            /** A PNG, JPEG or WebP image of at most 128 KiB as a `data:` URL (RFC 2397); null removes it. */
            logo?: string | null;
            identityHeaders?: components["schemas"]["IdentityHeaders"];
            links?: components["schemas"]["SiteLinks"];
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateSource: {
            /** Display name, 1 to 100 characters after trimming, unique among the sources of the site. */
            name?: string;
            /** The access token of an internal integration of Notion (`ntn_…`), for the type `notion`. It is stored encrypted and never returned. */
            token?: string;
            /** The https URL of a CSV or TSV file, for the type `list`. It is stored encrypted and never returned, because anybody who knows it may be able to read the list. */
            address?: string;
            /** The collections that become scope groups. People of a collection that is left out stay in its group for `graceDays`, or until a synchronization with `confirmRemovals`. Not for the type `program`. */
            collections?: components["schemas"]["ChosenCollection"][];
            /** Whether it is synchronized on schedule. False by default, so that its collections can be chosen first. Without effect for the type `program`. */
            enabled?: boolean;
            /** Minutes between two synchronizations, give or take 10%. */
            intervalMinutes?: number;
            /** How many people may leave a collection in one run without a confirmation. A confirmation is required if both this number and `maxRemovedPercent` are exceeded, if everybody would leave, or more than half and at least 3 people, and if a row has lost its email address. The same applies to people who would leave a group or would no longer be paying. */
            maxRemovedPeople?: number;
            /** What share of the people of a collection may leave it in one run without a confirmation. With 100 none is ever required, except while an email address cannot be read. */
            maxRemovedPercent?: number;
            /** Days after which the group of a collection that is gone is deleted. */
            graceDays?: number;
            /**
             * What happens to members that the source created and that are in none of its collections any more: `keep` leaves them as they are, `block` blocks them until they return.
             */
            onLeave?: "keep" | "block";
        };
        /** The fields to change, at least one. Fields that are left out keep their value. */
        UpdateWebhook: {
            /** The https URL that receives the events, with a POST for each. It must be public. Redirects are not followed. */
            url?: string;
            /** What it is for, at most 200 characters on one line. */
            description?: string;
            /** The types of the events that are sent; null for all, also those that are added later. */
            eventTypes?: ("member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed")[] | null;
            /** Only events about these access groups are sent; null for all events. */
            groupIds?: string[] | null;
            /**
             * What a message contains. `full`: all data of the event. `ids`: `data` has only the ids, so that no personal data is sent.
             */
            content?: "full" | "ids";
            /** How many events are sent at the same time. With 1 they arrive in the order in which they happened, and an event that fails blocks those after it. */
            parallelism?: number;
            /** Whether events are sent. */
            enabled?: boolean;
        };
        UploadCollectionPeople: {
            /** Identifies the list; chosen by the program, and the same for all parts of one list. */
            list: string;
            /** The number of the part, counted from 0. A part that is sent again replaces the earlier one. Defaults to 0. */
            part?: number;
            /** The people of this part. */
            people: components["schemas"]["ListedPerson"][];
            /** Whether this is the last part, so that the whole list is applied. Defaults to false. */
            complete?: boolean;
            /** The name of the collection, which its group follows. Defaults to its key. */
            name?: string;
            /** Only shows what would change. Defaults to false. */
            dryRun?: boolean;
            /** Confirms that people may be removed, however many, and that the groups of missing collections may be deleted. While an email address cannot be read, `confirmedRunId` is required as well. Defaults to false. */
            confirmRemovals?: boolean;
        };
        /** A stored part of a list; `run` applies the list once it is complete. */
        UploadedPart: {
            /** The parts of the list uploaded so far. */
            parts: number;
            run: components["schemas"]["SourceRun"] | null;
        };
        /** Who a visitor is, and whether the visitor has access. */
        VerifiedSession: {
            session: components["schemas"]["CurrentSession"];
            member: components["schemas"]["LoggedInMember"];
            access: components["schemas"]["AccessToPath"];
            /** Where to send a visitor who is not logged in, or has to enter a page code (`code_required`): the page of the site for it, which leads back to `path`, or to the page of the form in `referer`. Null while the site has no domain. */
            loginUrl: string | null;
            /** The page on which the visitor can enter a page code that gives access to `path`, at the host of the request. Null if the visitor has access, if no code gives it, or while the site has no domain. */
            pageCodeUrl: string | null;
            /** The page on which a member who has no access to `path` can ask for it. Null for other visitors, unless the site has `allowsAccessRequests`, and while the site has no domain. */
            accessRequestUrl: string | null;
            pageCode: components["schemas"]["EnteredPageCode"];
            /** A signed copy of the decision, with which a gate in a CDN worker allows this visitor the same page for up to a minute. Null unless it was requested and the visitor has access; and while the site has no signing key or no domain, if the method is not GET or HEAD, if the rule is conditional, or if the path is too long. */
            edgeToken: string | null;
        };
        VerifySession: {
            /** The value of the session cookie; null, or left out, for a visitor without one. The cookie is `__Host-gatehouse_session`, and `gatehouse_session` on a site without https. */
            token?: string | null;
            /** The value of the cookie of the page codes that the visitor has entered; null, or left out, for a visitor without one. The cookie is `__Host-gatehouse_pass`, and `gatehouse_pass` on a site without https. */
            pagePass?: string | null;
            /** A path of the site as a browser requests it, with or without a query. */
            path?: string;
            /** The method of the request. Defaults to GET. */
            method?: string;
            /** Whether the request is a CORS preflight; see `preflights` of rules. It has no member, and its method is `OPTIONS`. Defaults to false. */
            preflight?: boolean;
            /** The IP address of the visitor. Without it, no alternative of a rule that requires a network is met. */
            ipAddress?: string;
            /** A `domain` in `hosts` of the site. Defaults to the primary host. */
            host?: string;
            /** The `Referer` of a form, so that `loginUrl` leads to its page. Without one of the same host, it leads to the front page if the method is not GET or HEAD. */
            referer?: string;
            /** Whether to return an edge token if the visitor has access to `path`. Defaults to false. */
            edgeToken?: boolean;
        };
        WaitingSource: {
            /** The source. */
            id: string;
            /** Display name, unique among the sources of the site. */
            name: string;
            /** What the source is. `notion`: the databases of a Notion workspace. `list`: a CSV or TSV file at a URL. `program`: a program uploads the lists. */
            type: "notion" | "list" | "program";
            /** `confirmation_required`: more people would be removed than is allowed without a confirmation. The others are the codes of the error with which the last synchronization failed. */
            reason: "confirmation_required" | "unavailable" | "rejected" | "not_found" | "incomplete" | "too_large" | "columns_missing" | "internal";
        };
        /** A receiver of the events of the site. */
        Webhook: {
            /** The webhook. */
            id: string;
            /** The https URL that receives the events, with a POST for each. It must be public. Redirects are not followed. If the secret key that encrypts it is missing, only its host is shown. */
            url: string;
            /** What it is for. */
            description: string;
            /** The types of the events that are sent; null for all, also those that are added later. */
            eventTypes: ("member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed")[] | null;
            /** Only events about these access groups are sent; null for all events. */
            groupIds: string[] | null;
            /** What a message contains. `full`: all data of the event. `ids`: `data` has only the ids, so that no personal data is sent. */
            content: "full" | "ids";
            /** How many events are sent at the same time. With 1 they arrive in the order in which they happened, and an event that fails blocks those after it. */
            parallelism: number;
            /** Whether events are sent. */
            enabled: boolean;
            /** `active`. `failing`: the last attempts have failed, so that events wait and one of them is sent from time to time. `disabled`: nothing is sent. */
            status: "active" | "failing" | "disabled";
            /** Why it is disabled; null if it is not. `request`: somebody disabled it. `gone`: the receiver answered 410 Gone. `failing`: every attempt of five days has failed. */
            disabledReason: "request" | "gone" | "failing" | null;
            /** Since when every attempt has failed; null if the last one succeeded. */
            failingSince: string | null;
            /** When the next event is sent to a failing receiver; null unless the webhook is `failing`. */
            nextAttemptAt: string | null;
            replay: components["schemas"]["WebhookReplay"] | null;
            /** When the previous secret stops signing, or stopped; null if the secret was never replaced. */
            previousSecretExpiresAt: string | null;
            /** When it was created. */
            createdAt: string;
            /** When its settings were last changed. */
            updatedAt: string;
        };
        WebhookCreatedData: {
            /** The webhook. */
            webhookId: string;
            /** The host of its URL. The URL itself may be secret. */
            host: string;
        };
        /** An event of the type `webhook.created`. */
        WebhookCreatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.created";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["WebhookCreatedData"];
        };
        /** The message of an event of the type `webhook.created`. */
        WebhookCreatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.created";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["WebhookCreatedData"];
        };
        WebhookDeletedData: {
            /** The webhook. */
            webhookId: string;
            /** The host of its URL. The URL itself may be secret. */
            host: string;
        };
        /** An event of the type `webhook.deleted`. */
        WebhookDeletedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.deleted";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["WebhookDeletedData"];
        };
        /** The message of an event of the type `webhook.deleted`. */
        WebhookDeletedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.deleted";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["WebhookDeletedData"];
        };
        /** One attempt to send a message to a webhook. */
        WebhookDelivery: {
            /** The attempt. */
            id: string;
            /** The webhook. */
            webhookId: string;
            /** `event`: an event that has happened. `replay`: an event that is sent again on request. `test`: a test. */
            trigger: "event" | "replay" | "test";
            /** The `webhook-id` of the message: the id of the event, the same in each attempt. */
            messageId: string;
            /** The type of the event; `webhook.test` for a test. */
            type: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed" | "webhook.test";
            object: components["schemas"]["DeliveryObject"] | null;
            /** The number of the attempt to send this message. */
            attempt: number;
            /** `waiting`: it is made at `dueAt`. `succeeded`: the status of the response was from 200 to 299. `failed`: `error` says why. */
            status: "waiting" | "succeeded" | "failed";
            /** When a waiting attempt is made; null for others. */
            dueAt: string | null;
            /** When it was made; null if it was not. */
            startedAt: string | null;
            /** How long it took until the response or the failure; null if nothing was sent. */
            durationMilliseconds: number | null;
            /** The status of the response; null if there was none. */
            responseStatus: number | null;
            /** The first KiB of the response; null if there was none. */
            responseBody: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** When the message is sent again after a failure; null if it is not. */
            nextAttemptAt: string | null;
        };
        /** How many attempts to send events to a webhook have succeeded and failed, by day. Tests are not counted. */
        WebhookDeliveryCounts: {
            /** The last 7 days, oldest first; the last one is today. */
            days: components["schemas"]["WebhookDeliveryDay"][];
        };
        WebhookDeliveryDay: {
            /** The day, in the requested time zone. */
            date: string;
            /** Attempts that succeeded on that day. */
            succeeded: number;
            /** Attempts that failed on that day. */
            failed: number;
        };
        /** An attempt with the body of its request. */
        WebhookDeliveryWithRequest: {
            /** The attempt. */
            id: string;
            /** The webhook. */
            webhookId: string;
            /** `event`: an event that has happened. `replay`: an event that is sent again on request. `test`: a test. */
            trigger: "event" | "replay" | "test";
            /** The `webhook-id` of the message: the id of the event, the same in each attempt. */
            messageId: string;
            /** The type of the event; `webhook.test` for a test. */
            type: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed" | "webhook.test";
            object: components["schemas"]["DeliveryObject"] | null;
            /** The number of the attempt to send this message. */
            attempt: number;
            /** `waiting`: it is made at `dueAt`. `succeeded`: the status of the response was from 200 to 299. `failed`: `error` says why. */
            status: "waiting" | "succeeded" | "failed";
            /** When a waiting attempt is made; null for others. */
            dueAt: string | null;
            /** When it was made; null if it was not. */
            startedAt: string | null;
            /** How long it took until the response or the failure; null if nothing was sent. */
            durationMilliseconds: number | null;
            /** The status of the response; null if there was none. */
            responseStatus: number | null;
            /** The first KiB of the response; null if there was none. */
            responseBody: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** When the message is sent again after a failure; null if it is not. */
            nextAttemptAt: string | null;
            /** What is sent, as JSON. Personal data that was deleted since is missing in it; null if the event is no longer stored, or if the key lacks `events:read`. */
            requestBody: string | null;
        };
        WebhookDisabledData: {
            /** The webhook. */
            webhookId: string;
            /** The host of its URL. The URL itself may be secret. */
            host: string;
            /** `gone`: the receiver answered 410 Gone. `failing`: every attempt of five days has failed. */
            reason: "gone" | "failing";
        };
        /** An event of the type `webhook.disabled`. */
        WebhookDisabledEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.disabled";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["WebhookDisabledData"];
        };
        /** The message of an event of the type `webhook.disabled`. */
        WebhookDisabledMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.disabled";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["WebhookDisabledData"];
        };
        /** The events that are being sent again; null if none are. */
        WebhookReplay: {
            /** The beginning of the period. */
            since: string;
            /** The end of the period. */
            until: string;
            /** The percentage of the events in the period that are done. */
            percent: number;
        };
        /** The new secret of a webhook. */
        WebhookSecret: {
            /** The secret that signs what is sent (Standard Webhooks). It is returned only this once, and stored encrypted. */
            secret: string;
            /** Until when the previous secret signs as well. */
            previousSecretExpiresAt: string;
        };
        /** A test that somebody has requested. */
        WebhookTestMessage: {
            /** The message, also in the header `webhook-id`. */
            id: string;
            /**
             * A test.
             */
            type: "webhook.test";
            /** When the test was requested. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** Empty. */
            data: Record<string, never>;
        };
        WebhookUpdatedData: {
            /** The webhook. */
            webhookId: string;
            /** The fields that were changed. */
            changes: components["schemas"]["Change"][];
        };
        /** An event of the type `webhook.updated`. */
        WebhookUpdatedEvent: {
            /** The event. Ids increase over time. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.updated";
            /** When it happened. */
            occurredAt: string;
            /** The version of the schema of `data`. */
            version: number;
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            /** The IP address that the request came from; null if there was none, and after the member who caused the event has been deleted. */
            ipAddress: string | null;
            data: components["schemas"]["WebhookUpdatedData"];
        };
        /** The message of an event of the type `webhook.updated`. */
        WebhookUpdatedMessage: {
            /** The event, also in the header `webhook-id`. The same each time the message is sent. */
            id: string;
            /**
             * What happened.
             */
            type: "webhook.updated";
            /** When it happened. */
            timestamp: string;
            /** The site. */
            siteId: string;
            /** The version of the schema of `data`. */
            version: number;
            /**
             * With all data of the event.
             */
            content: "full";
            actor: components["schemas"]["Actor"];
            /** The request that caused the event; null if there was none. */
            requestId: string | null;
            data: components["schemas"]["WebhookUpdatedData"];
        };
        WithheldEmails: {
            /** `mailbox`: emails of one type into one mailbox. `sender`: emails of one type from one API key or operator to one person. `sign_up`: emails of the site to people who are not members yet. `known_browser`: login emails that one known browser requests for its member. */
            budget: "mailbox" | "sender" | "sign_up" | "known_browser";
            /** Emails that were not sent. */
            count: number;
            /** When the last email was withheld. */
            lastAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    listMembers: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Exactly this email address, normalized as on creation. */
                email?: string;
                /** Part of the email address or the display name, case-insensitive (`É` finds `é`). `%`, `_` and `\` are literal characters. */
                q?: string;
                /** Members with this status. */
                status?: "active" | "blocked";
                /** Whether the members are paying. `true`: paying members. `false`: members who do not pay. */
                paid?: "true" | "false";
                /** Whether the email address of the member is verified. */
                verified?: "true" | "false";
                /** Members that requests with this ID (`X-Request-Id`) created, such as all requests of one import. It finds them for as long as they exist, also when their events have been purged. Members who signed up or came from a source were created by no request of a program or an operator. */
                createdByRequest?: string;
                /** Members with a current membership of this access group. No members if there is no such group. */
                groupId?: string;
                /** Members with a current membership that expires before this time: a membership of the group in `groupId`, or of any group without it. */
                expiresBefore?: string;
                /** The field to sort by. */
                sort?: "createdAt" | "updatedAt" | "registeredAt" | "lastLoginAt" | "email" | "displayName";
                /** The sort direction; `desc` is newest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMember"];
            };
        };
        responses: {
            /** The new member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            /** The member after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    blockMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The blocked member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    unblockMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The active member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The member is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    bulkCreateMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkCreateMembers"];
            };
        };
        responses: {
            /** The result for each member. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** One result for each member, in the order submitted. */
                        data: components["schemas"]["BulkResultItem"][];
                        summary: components["schemas"]["BulkSummary"];
                    };
                };
            };
        };
    };
    bulkUpdateMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdateMembers"];
            };
        };
        responses: {
            /** The result for each update. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** One result for each update, in the order submitted. */
                        data: components["schemas"]["BulkUpdateResultItem"][];
                        summary: components["schemas"]["BulkUpdateSummary"];
                    };
                };
            };
        };
    };
    bulkMemberActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkMemberActions"];
            };
        };
        responses: {
            /** The result for each member. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** One result for each member, in the order submitted. */
                        data: components["schemas"]["BulkActionResultItem"][];
                        summary: components["schemas"]["BulkActionSummary"];
                    };
                };
            };
        };
    };
    lookUpMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookUpMembers"];
            };
        };
        responses: {
            /** The members that were found, each one once: in the order of the email addresses, then in that of the ids. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FoundMember"][];
                    };
                };
            };
        };
    };
    listAccessGroups: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Groups of this type. */
                type?: "custom" | "scope";
                /** Part of the name, case-insensitive. `%`, `_` and `\` are literal characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of access groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessGroup"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createAccessGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccessGroup"];
            };
        };
        responses: {
            /** The new access group. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessGroup"];
                    };
                };
            };
        };
    };
    getAccessGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The access group. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessGroup"];
                    };
                };
            };
        };
    };
    updateAccessGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccessGroup"];
            };
        };
        responses: {
            /** The access group after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessGroup"];
                    };
                };
            };
        };
    };
    deleteAccessGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The access group is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAccessGroupMembers: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GroupMember"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    addAccessGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddAccessGroupMember"];
            };
        };
        responses: {
            /** The member with all access groups. `Location` is the URL of the membership. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberWithGroups"];
                    };
                };
            };
        };
    };
    listMemberships: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of memberships. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Membership"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getMembership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The membership. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Membership"];
                    };
                };
            };
        };
    };
    updateMembership: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMembership"];
            };
        };
        responses: {
            /** The membership after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Membership"];
                    };
                };
            };
        };
    };
    removeAccessGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the access group. */
                groupId: string;
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The membership has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Invitations with this status. */
                status?: "active" | "used_up" | "expired" | "revoked";
                /** Invitations for this email address. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            /** The new invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    updateInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateInvitation"];
            };
        };
        responses: {
            /** The invitation after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The invitation is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    listInvitationRedemptions: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of redemptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvitationRedemption"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    bulkCreateInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkCreateInvitations"];
            };
        };
        responses: {
            /** The result for each email address. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** One result for each email address, in the order submitted. */
                        data: components["schemas"]["BulkInvitationResultItem"][];
                        summary: components["schemas"]["BulkInvitationSummary"];
                    };
                };
            };
        };
    };
    listJoinRequests: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Requests with this status. */
                status?: "pending" | "approved" | "declined" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of requests to join. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JoinRequest"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getJoinRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the request. */
                joinRequestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The request to join. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JoinRequest"];
                    };
                };
            };
        };
    };
    decideJoinRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideJoinRequests"];
            };
        };
        responses: {
            /** The result for each request. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** One result for each request, in the order submitted. */
                        data: components["schemas"]["JoinRequestDecision"][];
                        summary: components["schemas"]["JoinRequestSummary"];
                    };
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Source"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSource"];
            };
        };
        responses: {
            /** The new source. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
        };
    };
    getSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
        };
    };
    updateSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSource"];
            };
        };
        responses: {
            /** The source after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Source"];
                    };
                };
            };
        };
    };
    deleteSource: {
        parameters: {
            query?: {
                /** What happens to the groups of the source. `keep`: they become custom groups. `delete`: they are deleted with their memberships. */
                groups?: "keep" | "delete";
            };
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The source is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSourceCollections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The collections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AvailableCollections"];
                    };
                };
            };
        };
    };
    previewSourceCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
                /** The collection. Of a source of the type `program`, it is chosen by the program, and the same when the collection is renamed. */
                collectionKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The columns and rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CollectionPreview"];
                    };
                };
            };
        };
    };
    uploadCollectionPeople: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
                /** The collection. Of a source of the type `program`, it is chosen by the program, and the same when the collection is renamed. */
                collectionKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadCollectionPeople"];
            };
        };
        responses: {
            /** The stored part. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UploadedPart"];
                    };
                };
            };
        };
    };
    listSourceRuns: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SourceRun"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getSourceRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
                /** The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SourceRun"];
                    };
                };
            };
        };
    };
    syncSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncSource"];
            };
        };
        responses: {
            /** The run. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SourceRun"];
                    };
                };
            };
        };
    };
    getSourceWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SourceWebhook"];
                    };
                };
            };
        };
    };
    resetSourceWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook is reset, and a verification token is awaited. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemberSessions: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    revokeMemberSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The member has no session left. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeMemberSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
                /** The id of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** No member is logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
        };
    };
    verifySession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifySession"];
            };
        };
        responses: {
            /** The visitor. A token without an active session means an anonymous visitor, not an error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VerifiedSession"];
                    };
                };
            };
        };
    };
    createMemberLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLoginLink"];
            };
        };
        responses: {
            /** The login link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginLink"];
                    };
                };
            };
        };
    };
    listAccessTokens: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of access tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessToken"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccessToken"];
            };
        };
        responses: {
            /** The access token with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedAccessToken"];
                    };
                };
            };
        };
    };
    deleteAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
                /** The id of the access token. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The token no longer works. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemberPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkeys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberPasskey"][];
                    };
                };
            };
        };
    };
    deleteMemberPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The member has no passkey left. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteMemberPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
                /** The id of the passkey. */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkey is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAccessRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessRules"];
                    };
                };
            };
        };
    };
    replaceAccessRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceAccessRules"];
            };
        };
        responses: {
            /** The rules after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessRules"];
                    };
                };
            };
        };
    };
    checkAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckAccess"];
            };
        };
        responses: {
            /** One decision for each check, in the given order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessDecision"][];
                    };
                };
            };
        };
    };
    listMemberAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** One decision for each rule, in the order of the rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RuleDecision"][];
                    };
                };
            };
        };
    };
    checkPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckPage"];
            };
        };
        responses: {
            /** The page and its files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCheck"];
                    };
                };
            };
        };
    };
    listLoginProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The login providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginProvider"][];
                    };
                };
            };
        };
    };
    createLoginProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLoginProvider"];
            };
        };
        responses: {
            /** The new login provider. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginProvider"];
                    };
                };
            };
        };
    };
    getLoginProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the login provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The login provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginProvider"];
                    };
                };
            };
        };
    };
    updateLoginProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the login provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLoginProvider"];
            };
        };
        responses: {
            /** The login provider after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginProvider"];
                    };
                };
            };
        };
    };
    testLoginProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the login provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginProviderTest"];
                    };
                };
            };
        };
    };
    deleteLoginProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the login provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The login provider is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemberIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The identities. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Identity"][];
                    };
                };
            };
        };
    };
    deleteMemberIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The member has no identity left. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteMemberIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the member. */
                memberId: string;
                /** The id of the identity. */
                identityId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The identity is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginMethods"];
                    };
                };
            };
        };
    };
    listPageCodes: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of page codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCode"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createPageCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePageCode"];
            };
        };
        responses: {
            /** The new page code. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCode"];
                    };
                };
            };
        };
    };
    getPageCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the page code. */
                pageCodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The page code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCode"];
                    };
                };
            };
        };
    };
    updatePageCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the page code. */
                pageCodeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePageCode"];
            };
        };
        responses: {
            /** The page code after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCode"];
                    };
                };
            };
        };
    };
    replacePageCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the page code. */
                pageCodeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplacePageCode"];
            };
        };
        responses: {
            /** The page code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageCode"];
                    };
                };
            };
        };
    };
    deletePageCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the page code. */
                pageCodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The page code is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The site. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Site"];
                    };
                };
            };
        };
    };
    updateSite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSite"];
            };
        };
        responses: {
            /** The site after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Site"];
                    };
                };
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The published keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SigningKey"][];
                    };
                };
            };
        };
    };
    rotateSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSigningKeys"];
            };
        };
        responses: {
            /** The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SigningKey"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of API keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** The new API key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedApiKey"];
                    };
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the API key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiKey"];
            };
        };
        responses: {
            /** The new API key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedApiKey"];
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the API key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The API key is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOperators: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of operators. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operator"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    inviteOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteOperator"];
            };
        };
        responses: {
            /** The operator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operator"];
                    };
                };
            };
        };
    };
    updateOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the operator on this site. */
                operatorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOperator"];
            };
        };
        responses: {
            /** The operator after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operator"];
                    };
                };
            };
        };
    };
    removeOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the operator on this site. */
                operatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The operator has no role on the site. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listEmails: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Emails with this status. */
                status?: "waiting" | "sent" | "not_sent" | "failed";
                /** Emails to this member. */
                memberId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of emails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Email"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the email. */
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The email. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailWithContent"];
                    };
                };
            };
        };
    };
    resendEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the email. */
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The new email. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Email"];
                    };
                };
            };
        };
    };
    listEmailTexts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The texts, a set for each language. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailTexts"][];
                    };
                };
            };
        };
    };
    getEmailTexts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The language tag (RFC 5646) of a language of Gatehouse. */
                language: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The texts of the language. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailTexts"];
                    };
                };
            };
        };
    };
    replaceEmailTexts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The language tag (RFC 5646) of a language of Gatehouse. */
                language: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceEmailTexts"];
            };
        };
        responses: {
            /** The texts after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailTexts"];
                    };
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** The time zone that defines the days, as a name of the IANA database. */
                timeZone?: string;
                /** How many days it covers, today included. */
                days?: 7 | 30 | 90;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Overview"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Events of this type. */
                type?: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed";
                /** Events about this member. */
                memberId?: string;
                /** Events about this access group. */
                groupId?: string;
                /** Events that were caused by this type of actor. */
                actorType?: "key" | "operator" | "member" | "source" | "system";
                /** Events that were caused by the actor with this ID. */
                actorId?: string;
                /** Events at or after this time. */
                since?: string;
                /** Events before this time. */
                until?: string;
                /** Events that were caused by this request. If you know the time, also set `since` and `until`, which makes the search faster. */
                requestId?: string;
                /** The sort direction; `asc` is oldest first, so that new events come last. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listEventGroups: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Events of this type. */
                type?: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed";
                /** Events about this member. */
                memberId?: string;
                /** Events about this access group. */
                groupId?: string;
                /** Events that were caused by this type of actor. */
                actorType?: "key" | "operator" | "member" | "source" | "system";
                /** Events that were caused by the actor with this ID. */
                actorId?: string;
                /** Events at or after this time. */
                since?: string;
                /** Events before this time. */
                until?: string;
                /** Events that were caused by this request. If you know the time, also set `since` and `until`, which makes the search faster. */
                requestId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of event groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EventGroup"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** The new webhook with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** The webhook after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The new secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookSecret"];
                    };
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** Cursor: the `nextCursor` of the previous page. Leave it out for the first page. */
                after?: string;
                /** Maximum number of items on a page. */
                limit?: number;
                /** Attempts with this status. */
                status?: "waiting" | "succeeded" | "failed";
                /** Attempts to send events of this type; tests with `webhook.test`. */
                type?: "member.created" | "member.updated" | "member.deleted" | "member.blocked" | "member.unblocked" | "access-group.created" | "access-group.updated" | "access-group.deleted" | "access-group.member.added" | "access-group.member.updated" | "access-group.member.removed" | "access-group.member.expired" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "signing-key.created" | "operator.invited" | "operator.updated" | "operator.removed" | "operator.login" | "invitation.created" | "invitation.updated" | "invitation.sent" | "invitation.redeemed" | "invitation.revoked" | "join-request.created" | "join-request.approved" | "join-request.declined" | "page-code.created" | "page-code.updated" | "page-code.used" | "page-code.revoked" | "page-code.paused" | "login-provider.created" | "login-provider.updated" | "login-provider.deleted" | "source.created" | "source.updated" | "source.deleted" | "source.synced" | "source.failed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "site.created" | "site.updated" | "host-claim.refused" | "access-rules.updated" | "email-budget.exhausted" | "member.login" | "login-link.created" | "session.revoked" | "session.evicted" | "member.identity.linked" | "member.identity.removed" | "access-token.created" | "access-token.deleted" | "member.passkey.added" | "member.passkey.removed" | "webhook.test";
                /** Attempts to send this message. */
                messageId?: string;
            };
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getWebhookDeliveryCounts: {
        parameters: {
            query?: {
                /** The time zone that defines the days, as a name of the IANA database. */
                timeZone?: string;
            };
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryCounts"];
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
                /** The id of the attempt. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryWithRequest"];
                    };
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
                /** The id of the attempt. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The waiting attempt. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The waiting attempt. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
}
