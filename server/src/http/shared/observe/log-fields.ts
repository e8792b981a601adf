// docs/settings.md is made from these descriptions, which are in Markdown.

/** The fields of lines in the log about requests. They contain no secrets and no names of persons. */
export const logFields = {
  requestId:
    'the ID of the request, shown in every error and sent as `X-Request-Id` with every response; for the gate, that of the proxy, if it sends a UUID',
  event: 'what the line says about [security](#security-events)',
  method: 'the method of the request',
  path: 'the path without its query; segments that may be a token or an email address are replaced by `*`',
  surface: 'the part of Gatehouse that the request was sent to, such as `api` or `gate`',
  operation: 'the operation of the API, otherwise the route',
  status: 'the status of the response',
  code: 'the code of the error',
  reason: 'why the gate denied the visit',
  milliseconds: 'how long the request took',
  siteId: 'the site',
  keyId: 'the API key',
  operatorId: 'the operator, as in the events of the site',
  personId: 'the same person on all sites',
  memberId: 'the member who is logged in',
  ipAddress: 'the IP address of the client or visitor',
  omitted: 'how many lines of this kind were not written',
  worker: 'the number of the worker, if there are several',
};

export type LogField = keyof typeof logFields;

interface EventDescription {
  readonly about: string;
  readonly fields: readonly LogField[];
}

const ofRequest = ['siteId', 'requestId', 'method', 'path', 'status', 'code', 'ipAddress'] as const;
const ofVisit = ['siteId', 'reason', 'memberId', 'path', 'ipAddress', 'requestId'] as const;
const ofCaller = [...ofRequest, 'keyId', 'operatorId', 'personId'] as const;

/** What a denied visit or a rejected request means for the security of the installation. */
export const securityEvents = {
  'access.denied': { about: 'the gate denied a visit', fields: ofVisit },
  'access_token.refused': {
    about: 'a program sent a wrong or expired access token to the gate',
    fields: ofVisit,
  },
  'key.refused': {
    about: 'an API key or a token of the dashboard is unknown, revoked or expired',
    fields: ofRequest,
  },
  'permission.denied': {
    about: 'a key or an operator lacks a permission, or a request came from another site',
    fields: ofCaller,
  },
  'session.refused': { about: 'a request of a dashboard whose session has ended', fields: ofRequest },
  'code.wrong': { about: 'a wrong login code', fields: ofRequest },
  'code.refused': {
    about: 'a login code after too many attempts, or after its end',
    fields: ofRequest,
  },
  'page_code.wrong': { about: 'a wrong page code', fields: ofRequest },
  'link.refused': {
    about: 'a login link that was used, has expired or never existed',
    fields: ofRequest,
  },
  'provider.refused': { about: 'a login with an account of a login provider failed', fields: ofRequest },
  'passkey.refused': { about: 'a passkey was not accepted', fields: ofRequest },
  'form.refused': {
    about: 'a form was sent by a page of another site',
    fields: ofRequest,
  },
  'limit.exceeded': {
    about: 'a rate limit; only the first of each sender in a minute',
    fields: ofCaller,
  },
} satisfies Readonly<Record<string, EventDescription>>;

export type SecurityEvent = keyof typeof securityEvents;
