import { type TObject, type TSchema, Type } from 'typebox';
import type { ErrorCode } from './error-codes.ts';
import { maxNameLength } from './limits.ts';
import { exampleIds, languageTag, noControlCharacters, uuid } from './schemas.ts';

/** Every path parameter of both APIs, with the error code of the public API if nothing has this id. */
const parameters = {
  memberId: id('The id of the member.', exampleIds.member, 'member_not_found'),
  sessionId: id('The id of the session.', exampleIds.session, 'session_not_found'),
  tokenId: id('The id of the access token.', exampleIds.accessToken, 'access_token_not_found'),
  groupId: id('The id of the access group.', exampleIds.group, 'access_group_not_found'),
  sourceId: id('The id of the source.', exampleIds.source, 'source_not_found'),
  runId: id('The id of the run.', exampleIds.run, 'source_run_not_found'),
  collectionKey: {
    schema: Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      pattern: noControlCharacters,
      description:
        'The collection. Of a source of the type `program`, it is chosen by the program, and the same when the ' +
        'collection is renamed.',
      examples: ['team'],
    }),
    notFound: undefined,
  },
  language: {
    schema: Type.String({
      maxLength: 35,
      pattern: languageTag,
      description: 'The language tag (RFC 5646) of a language of Gatehouse.',
      examples: ['en'],
    }),
    notFound: undefined,
  },
  webhookId: id('The id of the webhook.', exampleIds.webhook, 'webhook_not_found'),
  deliveryId: id('The id of the attempt.', exampleIds.delivery, 'webhook_delivery_not_found'),
  keyId: id('The id of the API key.', exampleIds.key, 'key_not_found'),
  operatorId: id('The id of the operator on this site.', exampleIds.operator, 'operator_not_found'),
  emailId: id('The id of the email.', exampleIds.email, 'email_not_found'),
  invitationId: id('The id of the invitation.', exampleIds.invitation, 'invitation_not_found'),
  joinRequestId: id('The id of the request.', exampleIds.joinRequest, 'join_request_not_found'),
  pageCodeId: id('The id of the page code.', exampleIds.pageCode, 'page_code_not_found'),
  providerId: id('The id of the login provider.', exampleIds.loginProvider, 'login_provider_not_found'),
  identityId: id('The id of the identity.', exampleIds.identity, 'identity_not_found'),
  passkeyId: id('The id of the passkey.', exampleIds.passkey, 'passkey_not_found'),
  viewId: id('The id of the saved view.', exampleIds.savedView),
  siteId: id('A site that the operator has a role on.', exampleIds.site),
};

type Parameters = typeof parameters;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The schema of the parameters that a path has in braces: those of `/members/{memberId}` are `{ memberId: string }`. */
export type ParamsOf<Path extends string> = TObject<{
  [Name in NamesIn<Path>]: Name extends keyof Parameters ? Parameters[Name]['schema'] : never;
}>;

export function paramsOf<Path extends string>(path: Path): ParamsOf<Path> {
  const schemas: Record<string, TSchema> = {};
  for (const name of namesIn(path)) schemas[name] = parameters[name].schema;
  return Type.Object(schemas, { additionalProperties: false }) as unknown as ParamsOf<Path>;
}

/** The error codes of a path in which an id belongs to nothing. */
export function notFoundCodesOf(path: string): ErrorCode[] {
  return namesIn(path).flatMap((name) => parameters[name].notFound ?? []);
}

function namesIn(path: string): (keyof Parameters)[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Parameters);
}

function id(description: string, example: string, notFound?: ErrorCode) {
  return { schema: uuid(description, example), notFound };
}
